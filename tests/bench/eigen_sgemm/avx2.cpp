#define Eigen EigenAvx2 // the library's own namespace, renamed
#define DIVDET_EIGEN_PRODUCT avx2
#include "bench/eigen_sgemm/product-inl.h"

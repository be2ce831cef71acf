#define Eigen EigenAvx512 // the library's own namespace, renamed
#define DIVDET_EIGEN_PRODUCT avx512
#include "bench/eigen_sgemm/product-inl.h"

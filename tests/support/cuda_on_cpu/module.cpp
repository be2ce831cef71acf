#include "cuda/backend_abi.h"

/// Makes a module of the executor: the linker takes the module's code from the archive because of this.
extern "C" __attribute__((visibility("default"), used)) const divdet_backend_v1* divdetModuleOnCpu() {
    return divdet_backend_v1_entry();
}

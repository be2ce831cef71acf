find_package(Boost QUIET COMPONENTS context)
if(NOT TARGET Boost::context)
    message(FATAL_ERROR "Boost.Context is needed for the tests (Debian: libboost-context-dev)")
endif()
set(module ${PROJECT_SOURCE_DIR}/kernels/cuda/module)
file(GLOB module_sources CONFIGURE_DEPENDS ${module}/*.cu ${module}/*.cpp)
set_source_files_properties(${module_sources} PROPERTIES LANGUAGE CXX)
add_library(divdet_cuda_on_cpu STATIC ${module_sources}
    support/cuda_on_cpu/executor.cpp support/cuda_on_cpu/device.cpp support/cuda_on_cpu/mma.cpp)
# The executor's <cuda_runtime.h> comes before any other.
target_include_directories(divdet_cuda_on_cpu BEFORE PUBLIC
    ${CMAKE_CURRENT_SOURCE_DIR}/support/cuda_on_cpu ${CMAKE_CURRENT_SOURCE_DIR}/support)
target_link_libraries(divdet_cuda_on_cpu PUBLIC divdet_numerics Boost::context)
divdet_add_gtest(divdet_cuda_tests cuda/*_test.cpp cuda/op_cases.cpp)
target_link_libraries(divdet_cuda_tests PRIVATE divdet_cuda_on_cpu divdet_cuda_loader)

# What nvcc makes of the exact kernels; needs no GPU.
if(NOT DIVDET_SANITIZE)
    set(nvcc none)
    if(CMAKE_CUDA_COMPILER)
        set(nvcc ${CMAKE_CUDA_COMPILER})
    endif()
    add_test(NAME ptx_audit
        COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cuda/ptx_audit.sh ${nvcc} ${PROJECT_SOURCE_DIR}/kernels)
    set_tests_properties(ptx_audit PROPERTIES LABELS core TIMEOUT 300 SKIP_REGULAR_EXPRESSION "SKIPPED")
endif()

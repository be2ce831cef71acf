find_package(Boost QUIET COMPONENTS context)
if(NOT TARGET Boost::context)
    message(FATAL_ERROR "Boost.Context is needed for the tests (Debian: libboost-context-dev)")
endif()
set(module ${PROJECT_SOURCE_DIR}/kernels/cuda/module)
file(GLOB module_sources CONFIGURE_DEPENDS ${module}/*.cu ${module}/*.cpp)
set_source_files_properties(${module_sources} PROPERTIES LANGUAGE CXX)
add_library(divdet_cuda_on_cpu STATIC ${module_sources}
    support/cuda_on_cpu/executor.cpp support/cuda_on_cpu/device.cpp support/cuda_on_cpu/mma.cpp
    support/cuda_on_cpu/cublas.cpp support/cuda_on_cpu/cublas_lt.cpp
    support/cuda_on_cpu/graphs.cpp)
# The executor's <cuda_runtime.h> comes before any other.
target_include_directories(divdet_cuda_on_cpu BEFORE PUBLIC
    ${CMAKE_CURRENT_SOURCE_DIR}/support/cuda_on_cpu ${CMAKE_CURRENT_SOURCE_DIR}/support)
target_link_libraries(divdet_cuda_on_cpu PUBLIC divdet_numerics Boost::context)
if(DIVDET_SANITIZE) # a block of threads on one core is slow enough
    target_compile_options(divdet_cuda_on_cpu PRIVATE -O2)
endif()
divdet_add_gtest(divdet_cuda_tests core cuda/*_test.cpp cuda/op_cases.cpp)
divdet_compile_quickly(divdet_cuda_tests)
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

# What ptxas makes of the tensor-core instructions; needs no GPU either, but nvdisasm.
if(NOT DIVDET_SANITIZE)
    add_test(NAME sass_audit
        COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/cuda/sass_audit.sh ${nvcc} ${PROJECT_SOURCE_DIR}/kernels)
    set_tests_properties(sass_audit PROPERTIES LABELS core TIMEOUT 300 SKIP_REGULAR_EXPRESSION "SKIPPED")
endif()

# On real devices: every test skips where there is none. packaging/gpu_check.sh runs them on a machine with a GPU.
add_executable(divdet_gpu_tests gpu/gpu_test.cpp cuda/op_cases.cpp)
target_link_libraries(divdet_gpu_tests PRIVATE divdet_test_support divdet_cuda_loader GTest::gtest GTest::gtest_main)
if(TARGET divdet_cuda)
    add_dependencies(divdet_gpu_tests divdet_cuda)
endif()
add_test(NAME gpu COMMAND divdet_gpu_tests)
set_tests_properties(gpu PROPERTIES LABELS gpu TIMEOUT 600 SKIP_REGULAR_EXPRESSION "no GPU: ")

# The same program with the executor as its module: what a GPU will be asked is asked here too, and loading a
# module from its file is shown to work. Large products and times are for real devices.
add_library(divdet_cuda_on_cpu_module MODULE support/cuda_on_cpu/module.cpp)
target_link_libraries(divdet_cuda_on_cpu_module PRIVATE divdet_cuda_on_cpu)
add_dependencies(divdet_gpu_tests divdet_cuda_on_cpu_module)
add_test(NAME gpu_tests_on_cpu
    COMMAND divdet_gpu_tests --gtest_brief=1 --gtest_filter=-*Times:*Large*:*ProductsOfEverySlot*)
set_tests_properties(gpu_tests_on_cpu PROPERTIES LABELS core TIMEOUT 300
    ENVIRONMENT "DIVDET_CUDA_MODULE=$<TARGET_FILE:divdet_cuda_on_cpu_module>"
    FAIL_REGULAR_EXPRESSION "no GPU: ")

# The program meets GPUs there too.
add_dependencies(divdet_cli_tests divdet_cuda_on_cpu_module)
target_compile_definitions(divdet_cli_tests PRIVATE
    DIVDET_CUDA_ON_CPU_MODULE="$<TARGET_FILE:divdet_cuda_on_cpu_module>")

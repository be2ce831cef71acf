# The compute module libdivdet_cuda.so, put beside the programs, which load it at run time. One object per
# family of kernels; code for every architecture that the twins know, and PTX for newer ones.
set(DIVDET_CUDA_ARCHITECTURES "75-real;80-real;89-real;90-real;100-real;100-virtual" CACHE STRING
    "Architectures of the CUDA module, as CMAKE_CUDA_ARCHITECTURES takes them")
file(GLOB module_sources CONFIGURE_DEPENDS cuda/module/*.cu cuda/module/*.cpp)
add_library(divdet_cuda MODULE ${module_sources})
set_target_properties(divdet_cuda PROPERTIES
    CUDA_ARCHITECTURES "${DIVDET_CUDA_ARCHITECTURES}"
    CUDA_RUNTIME_LIBRARY Static
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
    CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden)
target_compile_definitions(divdet_cuda PRIVATE DIVDET_VERSION="${PROJECT_VERSION}")
# Arithmetic that decides bits is the source's, never the compiler's (numerics/portable.h).
target_compile_options(divdet_cuda PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false -ftz=false -prec-div=true -prec-sqrt=true -Xcompiler=-ffp-contract=off,-Wall,-Wextra>)
target_link_libraries(divdet_cuda PRIVATE divdet_numerics CUDA::cudart_static ${CMAKE_DL_LIBS})
target_include_directories(divdet_cuda SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})

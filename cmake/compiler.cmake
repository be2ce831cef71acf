# Flags every target of ours gets. Floating-point contraction is off everywhere: what decides a bit is
# written in the source (explicit fma), never chosen by the compiler.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# Of C++; nvcc takes other options (kernels/cuda/module.cmake).
function(divdet_cxx_options)
    foreach(option ${ARGN})
        add_compile_options($<$<COMPILE_LANGUAGE:CXX>:${option}>)
    endforeach()
endfunction()
divdet_cxx_options(-ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                   -Woverloaded-virtual -Wno-missing-field-initializers)
# GCC 12 reports impossible overlaps inside std::string at -O2 and above (its bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    divdet_cxx_options(-Wno-restrict)
endif()
if(DIVDET_WERROR)
    divdet_cxx_options(-Werror)
endif()

set(DIVDET_SANITIZE "" CACHE STRING "Sanitizers for the whole build, as -fsanitize= takes them")
if(DIVDET_SANITIZE)
    divdet_cxx_options(-fsanitize=${DIVDET_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${DIVDET_SANITIZE})
endif()

# divdet_compile_quickly(target): for code that is compiled for longer than it runs. Templates of JSON, of test
# macros and of the command line's parser take a third less of the compiler's time at these levels, instrumented
# or not; the price is that GCC then says wrongly of variables that they may be uninitialised.
function(divdet_compile_quickly target)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        set(level -O1)
        if(DIVDET_SANITIZE) # a list with a comma in it: no generator expression takes that
            set(level -Og)
        endif()
        target_compile_options(${target} PRIVATE ${level} -Wno-maybe-uninitialized)
    endif()
endfunction()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
if(CCACHE_PROGRAM AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

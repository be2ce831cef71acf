# Each header must compile alone: one translation unit per header that includes nothing else.
file(GLOB_RECURSE divdet_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/core/*.h ${PROJECT_SOURCE_DIR}/kernels/*.h)
set(alone_sources)
foreach(header ${divdet_headers})
    string(MAKE_C_IDENTIFIER ${header} id)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/alone/${id}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${PROJECT_SOURCE_DIR}/@header@\"\n" @ONLY)
    list(APPEND alone_sources ${source})
endforeach()
add_library(divdet_headers_alone OBJECT ${alone_sources})
target_link_libraries(divdet_headers_alone PRIVATE divdet_core divdet_host PkgConfig::HWY TBB::tbb Eigen3::Eigen
                      Boost::iostreams PkgConfig::MINIZIP)
# Headers of kernels/cuda name the CUDA runtime; the executor's stands for it, so that no toolkit is needed.
target_include_directories(divdet_headers_alone PRIVATE
    ${CMAKE_CURRENT_SOURCE_DIR}/support ${CMAKE_CURRENT_SOURCE_DIR}/support/cuda_on_cpu)

# What threads share and that is small enough to build alone under the thread sanitizer: the cache of ops and the
# jobs of the window. Everything else threads do is in divdet_core_tests and divdet_kernel_tests of the same preset.
find_package(Qt6 6.4 QUIET COMPONENTS Core)
file(GLOB thread_sources CONFIGURE_DEPENDS threads/*.cpp)
file(GLOB shared_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/base/*.cpp ${PROJECT_SOURCE_DIR}/core/tensor/*.cpp)
if(TARGET Qt6::Core)
    add_executable(divdet_thread_tests ${thread_sources} ${shared_sources} core/run/op_cache_test.cpp
        ${PROJECT_SOURCE_DIR}/core/run/op_cache.cpp ${PROJECT_SOURCE_DIR}/core/run/key.cpp
        ${PROJECT_SOURCE_DIR}/app/jobs/latest_job_base.cpp ${PROJECT_SOURCE_DIR}/app/jobs/latest_job_base.h)
    set_target_properties(divdet_thread_tests PROPERTIES AUTOMOC ON)
    target_include_directories(divdet_thread_tests PRIVATE ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/app)
    target_link_libraries(divdet_thread_tests PRIVATE divdet_numerics fmt::fmt PkgConfig::HWY Threads::Threads Qt6::Core GTest::gtest)
    add_test(NAME divdet_thread_tests COMMAND divdet_thread_tests)
    set_tests_properties(divdet_thread_tests PROPERTIES LABELS "core;threads" TIMEOUT 300)
else()
    message(STATUS "No Qt: the jobs of the window are not tested under the thread sanitizer")
endif()

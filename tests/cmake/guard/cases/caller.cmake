# says: kernel _Z12spare_kernelPi was removed as nothing refers to it, but
find_package(package REQUIRED)
target_link_libraries(program library package::caller "-Wl,--undefined=_Z10use_callerv")

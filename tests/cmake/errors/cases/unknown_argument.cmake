# says: weft_device_thinlto: unknown arguments: FAST. Known are TARGET, ARCHITECTURES, OPTIONS, OPAQUE, LIBRARIES, KEEP, REMOTE_EXECUTOR, REMOTE_CACHE, REMOTE_PLATFORM, REMOTE_MEMORY_CLASSES, REPORT, REPORT_AGAINST, FEEDBACK and DEPENDENCIES.
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(FAST TARGET program)

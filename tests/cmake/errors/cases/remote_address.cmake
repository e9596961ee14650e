# says: REMOTE_EXECUTOR is no address like
find_package(Weft REQUIRED)
add_executable(program host.cpp device.cu)
weft_device_thinlto(TARGET program REMOTE_EXECUTOR host:8980)

# says: option '--feedback=a' of 'program' is not given here: use FEEDBACK.
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program OPTIONS --feedback=a)

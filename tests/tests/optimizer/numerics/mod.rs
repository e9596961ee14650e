//! Floating-point arithmetic of device code: it follows nvcc's options, and each function follows
//! the options of its unit.

mod against_nvcc;
mod libnvvm;
mod mixed;
mod ptx;
mod refused;

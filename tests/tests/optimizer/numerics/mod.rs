//! Floating-point arithmetic of device code: it follows nvcc's options, and each function follows
//! those of its own unit.

mod against_nvcc;
mod libnvvm;
mod mixed;
mod ptx;
mod refused;

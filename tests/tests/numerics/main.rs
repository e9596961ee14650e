//! How device code computes: as nvcc's options say, and each function as its own unit was told.

mod against_nvcc;
mod libnvvm;
mod mixed;
mod ptx;
mod refused;

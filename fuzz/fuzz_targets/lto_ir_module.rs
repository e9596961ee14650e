//! Fuzzes [`dev_readers::lto_ir_module`].

#![no_main]

weft_fuzz::target!(dev_readers::lto_ir_module);

//! Fuzzes [`dev_readers::cubin_costs`].

#![no_main]

weft_fuzz::target!(dev_readers::cubin_costs);

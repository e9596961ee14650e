//! Fuzzes [`dev_readers::host_facts`].

#![no_main]

weft_fuzz::target!(dev_readers::host_facts);

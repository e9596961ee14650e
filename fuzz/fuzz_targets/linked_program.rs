//! Fuzzes [`dev_readers::linked_program`].

#![no_main]

weft_fuzz::target!(dev_readers::linked_program);

//! Fuzzes [`dev_readers::decisions_record`].

#![no_main]

weft_fuzz::target!(dev_readers::decisions_record);

//! Fuzzes [`dev_readers::summary_record`].

#![no_main]

weft_fuzz::target!(dev_readers::summary_record);

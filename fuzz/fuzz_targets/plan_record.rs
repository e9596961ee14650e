//! Fuzzes [`dev_readers::plan_record`].

#![no_main]

weft_fuzz::target!(dev_readers::plan_record);

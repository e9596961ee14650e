//! Fuzzes [`dev_readers::device_images`].

#![no_main]

weft_fuzz::target!(dev_readers::device_images);

#pragma once

/* Returns 0 if the field was filled, and another value without a GPU. */
int fill_field();
int norm_of_field();

#pragma once

/* Returns whether the field was filled, or there is no GPU. */
int api_works();

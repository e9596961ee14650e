#pragma once

int launch();

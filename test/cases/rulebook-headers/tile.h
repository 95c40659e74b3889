#pragma once
#define SIDE 32

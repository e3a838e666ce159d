#include "CCycles.h"

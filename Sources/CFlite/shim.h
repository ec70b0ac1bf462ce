#pragma once
#include <flite/flite.h>
#include <flite/flite_version.h>
// Each voice is a library, whose only function no header declares.
cst_voice *register_cmu_us_slt(const char *folder);
cst_voice *register_cmu_us_rms(const char *folder);
cst_voice *register_cmu_us_awb(const char *folder);

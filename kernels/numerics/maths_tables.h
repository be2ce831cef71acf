#pragma once
#include "numerics/portable.h"

/// Coefficients of maths.h, lowest power first. Own fits (Chebyshev nodes, 130-digit reference values), kept
/// as hexadecimal doubles so that every compiler reads the same bits.
namespace divdet::numerics::tables {

/// exp r = sum c_i r^i for |r| <= ln2/2: Taylor, 1/i!.
DIVDET_TABLE double kExp[12] = {0x1.0000000000000p+0,  0x1.0000000000000p+0,  0x1.0000000000000p-1,
                                0x1.5555555555555p-3,  0x1.5555555555555p-5,  0x1.1111111111111p-7,
                                0x1.6c16c16c16c17p-10, 0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-16,
                                0x1.71de3a556c734p-19, 0x1.27e4fb7789f5cp-22, 0x1.ae64567f544e4p-26};

/// tanh x = x sum c_i x^(2i) for |x| < 0.5.
DIVDET_TABLE double kTanh[12] = {0x1.0000000000026p+0,  -0x1.5555555553585p-2,  0x1.1111110e532e0p-3,
                                 -0x1.ba1b9ed137160p-5, 0x1.664e7fd0e1a87p-6,   -0x1.224ee2a065fb8p-7,
                                 0x1.d0c3aadb8ff22p-9,  -0x1.1d9360f348ce0p-10, -0x1.4c73f0182f6cfp-10,
                                 0x1.6ea2cefd26dcap-8,  -0x1.4f191035eaa63p-7,  0x1.00d2390b574cfp-7};

/// erf x = x sum c_i x^(2i) for |x| < 0.5: Taylor.
DIVDET_TABLE double kErf[13] = {0x1.20dd750429b6dp+0,   -0x1.812746b0379e7p-2,  0x1.ce2f21a042be2p-4,
                                -0x1.b82ce31288b51p-6,  0x1.565bcd0e6a53fp-8,   -0x1.c02db40040b85p-11,
                                0x1.f9a326f9b89b7p-14,  -0x1.f4d25c3e0c2ebp-17, 0x1.b9e6c9dc651a2p-20,
                                -0x1.5f742ec43e71ap-23, 0x1.fcc5720624c1cp-27,  -0x1.51d7181c5d36cp-30,
                                0x1.9e6ad5e55a730p-34};

/// (1 + 2x) exp(x^2) erfc x = sum c_i t^i with t = (x-2)/(x+2), for 0.47 <= x <= 10.75; relative error 5e-16.
DIVDET_TABLE double kErfcScaled[21] = {0x1.46e80e2277954p+0,   -0x1.7bf5ec1700664p-4,  -0x1.5407bebf323f9p-3,
                                       0x1.4ffa1e14e2b75p-3,   -0x1.bc2b956186bffp-5,  -0x1.07423404e7b00p-7,
                                       0x1.1dd2ec81d0a1cp-7,   0x1.4d461d899d430p-10,  -0x1.7de517948a3bdp-10,
                                       -0x1.dc694e218915cp-12, 0x1.b0c55f1013c99p-13,  0x1.3cc2fc582bdcap-13,
                                       -0x1.8b251fc791a84p-20, -0x1.31c742c48f7edp-15, -0x1.c9c11fae542d2p-17,
                                       0x1.002de3eb318d7p-18,  0x1.7713742ee18a0p-18,  0x1.535eaa610b321p-20,
                                       -0x1.4a09b6ecd6084p-20, -0x1.2335890ff7fe0p-21, 0x1.61a4fadcd96d5p-23};

/// log m = 2s sum s^(2i)/(2i+1) with s = (m-1)/(m+1), for sqrt(1/2) <= m < sqrt 2.
DIVDET_TABLE double kLog[12] = {1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                                1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23};

/// Normal quantile at 1/2 + q: q P(q^2)/Q(q^2) for |q| <= 0.425; relative error 6e-11.
DIVDET_TABLE double kQuantileCentreP[6] = {0x1.40d931ff2dd44p+1,  -0x1.515fe0644b465p+4,
                                           0x1.a68ad3433ef1dp+5,  -0x1.82d637e8cbc22p+4,
                                           -0x1.4887c51d46c89p+5, 0x1.094610fcd6576p+4};
DIVDET_TABLE double kQuantileCentreQ[6] = {0x1.0000000000000p+0,  -0x1.2eb23cdf86af8p+3,
                                           0x1.cac8ed6e04f3fp+4,  -0x1.823b9fc1802cdp+4,
                                           -0x1.0c64fec7d9cc9p+4, 0x1.23c66a86c814fp+4};

/// Minus the normal quantile of p: P(r)/Q(r) with r = sqrt(-log p) - 2, for 2^-54 < p < 0.08; error 9e-12.
DIVDET_TABLE double kQuantileTailP[7] = {0x1.0b8034492b3f4p+1,  0x1.22a7150ca94c3p+1,  -0x1.b922181f1fc63p-2,
                                         -0x1.2025a8e7dee5ap+0, -0x1.9ce083273365bp-2, -0x1.a43c316487980p-5,
                                         -0x1.02085dd2edb80p-9};
DIVDET_TABLE double kQuantileTailQ[6] = {0x1.0000000000000p+0,  0x1.39a2b566d1881p-2,
                                         -0x1.a2f62b1a9f090p-2, -0x1.c627b9483dbfcp-3,
                                         -0x1.127aba531c860p-5, -0x1.6cdf4c20a8400p-10};

} // namespace divdet::numerics::tables

/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elements of 16 bits as f32, and back.
 */
#ifndef EX_HALF_H
#define EX_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint32_t float_bits(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline float float_of_bits(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline float from_bf16(uint16_t half)
{
	return float_of_bits((uint32_t)half << 16);
}

/* To the nearest, halves to even; what is no number stays none. */
static inline uint16_t to_bf16(float value)
{
	uint32_t bits = float_bits(value);
	uint32_t none = (bits & 0x7fffffff) > 0x7f800000;
	uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
	return (uint16_t)(none ? bits >> 16 | 0x40 : rounded);
}

/* The exponent is moved by a multiplication, which is exact and makes subnormal numbers normal. */
static inline float from_f16(uint16_t half)
{
	uint32_t magnitude = (uint32_t)(half & 0x7fff) << 13, sign = (uint32_t)(half & 0x8000) << 16;
	uint32_t endless = magnitude >= 0x0f800000 ? 0x7f800000 : 0;
	return float_of_bits(float_bits(float_of_bits(magnitude) * 0x1p112f) | endless | sign);
}

/* Subnormal results are rounded by an addition whose last place is theirs. */
static inline uint16_t to_f16(float value)
{
	uint32_t bits = float_bits(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
	uint32_t small = float_bits(float_of_bits(magnitude) + 0.5f) - float_bits(0.5f);
	uint32_t normal = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
	uint32_t large = magnitude > 0x7f800000 ? 0x7e00 : 0x7c00;
	uint32_t half = magnitude >= 0x47800000 ? large : magnitude < 0x38800000 ? small : normal;
	return (uint16_t)(sign | half);
}

#endif

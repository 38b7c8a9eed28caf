#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plants one fault at a time in the energy terms, the inertia and the steps of the methods, and asserts that tests fail each
# time.
# Usage: tests/mutate.sh (from the root of the source tree). CC, CFLAGS and JOBS as for make.
# Exits with 1 where a fault is missed, and with 2 where one cannot be planted or built.
# shellcheck disable=SC2086 # CC, FLAGS and LIBS are lists of words
set -u
# shellcheck source=tests/mutate_faults.sh
. "$(dirname "$0")/mutate_faults.sh"

CC=${CC:-cc}
JOBS=${JOBS:-$(nproc)}
FLAGS="-std=c11 -D_GNU_SOURCE -w -ffp-contract=off ${CFLAGS:--O0} $(pkg-config --cflags gsl)"
LIBS="-fopenmp $(pkg-config --libs check gsl libmd) -lm"
# Run in this order until one fails; first the one that is likely to see a fault there (likely).
PROGRAMS="test_energy test_energy_quadrature test_energy_invariance test_inertia test_second test_method"

# Faults: what | fault | file under src/viper | text, which must be there exactly once | replacement.
faults() {
  cat <<'END'
stretch|sign in W|energy/stretch.h|viper_sub(viper_segment_dc(rest, x), viper_scale(a|viper_add(viper_segment_dc(rest, x), viper_scale(a
stretch|factor in W|energy/stretch.h|w[0] = e.x;|w[0] = VIPER_R(2) * e.x;
stretch|sign in dW|energy/stretch.h|row == k ? -rest->inv_l|row == k ? rest->inv_l
stretch|factor in dW|energy/stretch.h|row == k ? rest->inv_l|row == k ? VIPER_R(2) * rest->inv_l
stretch|sign in dW, frame|energy/stretch.h|dy[3] = {-u.x|dy[3] = {u.x
stretch|sign in K|energy/stretch.h|return viper_area(m)|return -viper_area(m)
stretch|factor in K|energy/stretch.h|return viper_area(m)|return 2 * viper_area(m)
section|sign in W|energy/section.h|viper_segment_sm(x) - x->active|viper_segment_sm(x) + x->active
section|factor in W|energy/section.h|viper_segment_sm(x) - x->active|viper_segment_sm(x) - VIPER_R(0.5) * x->active
section|sign in dW|energy/section.h|dw[0][0] = VIPER_R(0.5)|dw[0][0] = VIPER_R(-0.5)
section|factor in dW|energy/section.h|dw[0][1] = VIPER_R(0.5)|dw[0][1] = VIPER_R(1)
section|sign in K|energy/section.h|return viper_area(m)|return -viper_area(m)
section|factor in K|energy/section.h|return viper_area(m)|return 2 * viper_area(m)
taper|sign in W|energy/taper.h|(x->s_b - x->s_a)|(x->s_b + x->s_a)
taper|sign of W|energy/taper.h|(x->s_b - x->s_a)|(x->s_a - x->s_b)
taper|factor in W|energy/taper.h|(x->s_b - x->s_a)|VIPER_R(2) * (x->s_b - x->s_a)
taper|sign in dW|energy/taper.h|dw[0][0] = -rest|dw[0][0] = rest
taper|factor in dW|energy/taper.h|dw[0][1] = rest|dw[0][1] = VIPER_R(2) * rest
taper|sign in K|energy/taper.h|return M_PI * r2 * r2|return -M_PI * r2 * r2
taper|factor in K|energy/taper.h|r2 * r2 / 4 *|r2 * r2 / 2 *
volume|sign in W|energy/volume.h|viper_sub(viper_scale(sm2, dc), viper_quat_w(x->q))|viper_add(viper_scale(sm2, dc), viper_quat_w(x->q))
volume|factor in W|energy/volume.h|viper_scale(sm2, dc)|viper_scale(VIPER_R(2) * sm2, dc)
volume|sign in dW|energy/volume.h|row == k ? -sm2|row == k ? sm2
volume|sign in dW, frame|energy/volume.h|dx[3] = {v.x|dx[3] = {-v.x
volume|factor in dW|energy/volume.h|row == k ? sm2|row == k ? VIPER_R(2) * sm2
volume|factor in dW, scale|energy/volume.h|ds[3] = {weight.dp *|ds[3] = {VIPER_R(2) * weight.dp *
volume|sign in K|energy/volume.h|return viper_area(m)|return -viper_area(m)
volume|factor in K|energy/volume.h|return viper_area(m)|return 2 * viper_area(m)
bend|sign in K|energy/bend.h|return viper_moment(m)|return -viper_moment(m)
bend|factor in K|energy/bend.h|return viper_moment(m)|return 4 * viper_moment(m)
twist|sign in K|energy/twist.h|return viper_moment(m)|return -viper_moment(m)
twist|factor in K|energy/twist.h|return viper_moment(m)|return 4 * viper_moment(m)
surface_bend|sign in W|energy/surface_bend.h|rest->inv_l_k - (x->s|rest->inv_l_k + (x->s
surface_bend|factor in W|energy/surface_bend.h|w[0] = ((x->s_next|w[0] = (VIPER_R(2) * (x->s_next
surface_bend|sign in dW|energy/surface_bend.h|dw[0][1] = -(rest|dw[0][1] = (rest
surface_bend|factor in dW|energy/surface_bend.h|dw[0][2] = rest|dw[0][2] = VIPER_R(2) * rest
surface_bend|sign in K|energy/surface_bend.h|return viper_moment(m)|return -viper_moment(m)
surface_bend|factor in K|energy/surface_bend.h|return viper_moment(m)|return 4 * viper_moment(m)
volume_bend|sign in dW, scale|energy/volume_bend.h|VIPER_R(3) * s2|VIPER_R(-3) * s2
volume_bend|factor in dW, scale|energy/volume_bend.h|VIPER_R(3) * s2|VIPER_R(2) * s2
volume_bend|sign in K|energy/volume_bend.h|return viper_moment(m)|return -viper_moment(m)
volume_bend|factor in K|energy/volume_bend.h|return viper_moment(m)|return 2 * viper_moment(m)
turns|factor in W|energy/element.h|two = rest->inv_lm + rest->inv_lm|two = rest->inv_lm
turns|no Re D in W|energy/element.h|omega_rest[row] * turn.d.w|omega_rest[row]
turns|sign of Re D in dW|energy/element.h|rest, more * omega_rest[row], row|rest, -more * omega_rest[row], row
turns|factor of Re D in dW|energy/element.h|more = VIPER_R(0.5) * (power.p - VIPER_R(1))|more = power.p - VIPER_R(1)
joint|sign in Re D|energy/element.h|twice * a.w - p.w|twice * a.w + p.w
joint|factor in Omega_rest|model/rest_rotation.h|branch ? 0 : 2 / lm|branch ? 0 : 1 / lm
joint|Omega_rest at a branch|model/rest_rotation.h|branch ? 0 : 2 / lm|2 / lm
joint|mean stiffness|model/model.c|0.5 * (k[0][i] + k[1][i])|k[0][i]
joint|mean radius|model/model.c|0.5 * (segment_radius(b, s[0]) + segment_radius(b, s[1]))|segment_radius(b, s[0])
joint|factor in the area's moment|energy/material.h|r * r * r * r / 4|r * r * r * r / 2
terms|sign of ky|energy/material.h|m->kx + m->ky|m->kx - m->ky
segment|factor in the area|energy/material.h|return M_PI * r2|return 2 * M_PI * r2
joint|no half turn|model/model.c|against[i] ? -1 : 1|against[i] ? 1 : 1
terms|factor in the energy|energy/terms.h|VIPER_R(0.5) * rest->k_##name * sum|rest->k_##name * sum
terms|sign in the gradient|energy/terms.h|k_i * w[i] * dw[i][k];|-k_i * w[i] * dw[i][k];
terms|sign in the multiplier|energy/terms.h|k_i * w[i] - lambda[i]|k_i * w[i] + lambda[i]
terms|sign of the displacement|energy/terms.h|d[VIPER_##NAME##_COLUMN(k)] -=|d[VIPER_##NAME##_COLUMN(k)] +=
inertia|factor in the mass|model/model.c|node->mass += 0.5 * s->density|node->mass += s->density
inertia|factor in the scale inertia|model/model.c|M_PI * r2 * r2 / 2 * l|M_PI * r2 * r2 / 4 * l
inertia|factor in the frame inertia|model/model.c|s->density * l * M_PI * r2 * r2 / 4|s->density * l * M_PI * r2 * r2 / 2
inertia|m/2 in the gradient (eqs. 66-67)|energy/inertia.h|g[1] = a.mass *|g[1] = VIPER_R(0.5) * a.mass *
newton|sign of the step, scale|method/newton.h|viper_dot(b, g) - a * n->g[3]|viper_dot(b, g) + a * n->g[3]
newton|sign of the step, center|method/newton.h|d[1] = -inverse|d[1] = inverse
newton|sign in a node's block|method/newton.h|a * n->h[3][3] - viper_dot(b, b)|a * n->h[3][3] + viper_dot(b, b)
newton|sign of a frame's step|method/newton.h|half = VIPER_R(-0.5)|half = VIPER_R(0.5)
newton|whole for half the inverse|method/newton.h|half = VIPER_R(-0.5)|half = VIPER_R(-1)
newton|other end of a segment|method/newton.h|viper_sub(x.c, other.c)|viper_sub(other.c, x.c)
newton|sign of section|method/newton.h|scales - VIPER_R(2)|scales + VIPER_R(2)
newton|sign of taper|method/newton.h|spring->taper * (x.s - other.s)|spring->taper * (other.s - x.s)
newton|no section in the block|method/newton.h|+ (spring->section + spring->taper)|+ (spring->taper)
newton|other length of a direction term|method/newton.h|out.name##_l2 = out.name##_l *|out.name##_l2 = out.stretch_l *
newton|volume alone in a tilt|method/newton.h|out.tilt += rest->k_##name|out.tilt = rest->k_##name
newton|sign of the Laplacian|method/newton.h|spring->slope_k * (after - at) -|spring->slope_k * (after - at) +
newton|other slope of the Laplacian|method/newton.h|out.slope_j = d[0][0]|out.slope_j = d[0][2]
newton|sign of surface_bend's block|method/newton.h|out.surface[role] * d[0][role]|-out.surface[role] * d[0][role]
newton|factor in the rest vector|method/newton.h|VIPER_R(0.5) * VIPER_RECIPROCAL(rest->inv_lm)|VIPER_RECIPROCAL(rest->inv_lm)
newton|factor in a turn's stiffness|method/newton.h|(rest->inv_lm + rest->inv_lm) * rest->inv_lm|rest->inv_lm * rest->inv_lm
newton|half the pull|method/newton.h|sums.g += sums.g|sums.g += VIPER_R(0)
newton|half the pull's block|method/newton.h|sums.h += sums.h|sums.h += VIPER_R(0)
newton|bound of the wrong stiffness|method/newton.h|more > zero|more < zero
section|factor in its spring|energy/section.h|VIPER_R(0.25)|VIPER_R(0.5)
taper|length in its spring|energy/taper.h|rest->k_taper * rest->inv_l * rest->inv_l|rest->k_taper * rest->inv_l
newton|sign of a segment, seen|method/newton.h|viper_quat_unrotate(x->q, viper_sub(x->c_b, x->c_a))|viper_quat_unrotate(x->q, viper_sub(x->c_a, x->c_b))
newton|no tension in one tilt|method/newton.h|n->h[1][1] += tilt|n->h[1][1] += spring->tilt
newton|other role in a joint|method/newton.h|spring->surface[role] * lap|spring->surface[2 - role] * lap
newton|sign in a segment's scale|method/newton.h|sums.cross * d2) - scale|sums.cross * d2) + scale
newton|sign of an end|method/newton.h|side == 0 ? -sums.frame|side == 1 ? -sums.frame
newton|other flip of a joint|energy/element.h|side == 0 ? rest->flip_j|side == 1 ? rest->flip_j
newton|sign in a joint's gradient|method/newton.h|n->g[0] += g.x|n->g[0] -= g.x
newton|sign in a joint's block|method/newton.h|(hold->twist - hold->bend)|(hold->twist + hold->bend)
newton|factor in a joint's block|method/newton.h|all = half * (hold->bend|all = (hold->bend
newton|no rest in a joint's block|method/newton.h|(hold->rest + hold->rest)|hold->rest
newton|no rest in a joint's stiffness|method/newton.h|out.twist = sums.twist - out.rest|out.twist = sums.twist
newton|sign of the rest's stiffness|method/newton.h|out.bend = sums.bend - out.rest|out.bend = sums.bend + out.rest
newton|no Re D in the pull|method/newton.h|viper_scale(turn->d.w, spring->rest)|spring->rest
newton|no Re D in a joint's force|method/newton.h|hold->force.x * d.w|hold->force.x
newton|sign over Re D|method/newton.h|viper_dot(hold->force, viper_quat_im(d))|-viper_dot(hold->force, viper_quat_im(d))
newton|bend for twist|method/newton.h|out.twist = sums.twist|out.twist = sums.bend
newton|pinned unknowns coupled|method/newton.h|n->h[i][k] *= free[i] * free[k]|n->h[i][k] *= free[i] + free[k]
newton|bending factors of the wrong row|energy/element.h|x->bending.volume_bend[row & 1]|x->bending.volume_bend[~row & 1]
newton|stiffer row for the softer|energy/element.h|b.bend[0] < b.bend[1], b.bend[0]|b.bend[0] > b.bend[1], b.bend[0]
newton|sign of what the stiffer row has more|method/newton.h|more.bending.bend[row] -=|more.bending.bend[row] +=
newton|factor in a node's inertia|method/newton.h|a.mass *= inv_h2|a.mass *= VIPER_R(1)
newton|factor in a frame's inertia|method/newton.h|viper_frame_inertial_block(inv_h2 * a|viper_frame_inertial_block(a
constraint|sign of a center's move|method/constraint.h|viper_add(x->c_a|viper_sub(x->c_a
constraint|sign of a scale's move|method/constraint.h|s = s + ds|s = s - ds
constraint|other scale of a segment|method/constraint.h|viper_scale_moved(x->s_b, d[7]|viper_scale_moved(x->s_b, d[3]
constraint|sign of joint frame j's turn|method/constraint.h|viper_vec3_make(d[3], d[4], d[5])|viper_vec3_make(-d[3], d[4], d[5])
constraint|other frame of a joint|method/constraint.h|viper_vec3_make(d[6], d[7], d[8])|viper_vec3_make(d[3], d[4], d[5])
constraint|scale before for after|method/constraint.h|x->s_next = viper_scale_moved(x->s_next, d[2]|x->s_next = viper_scale_moved(x->s_next, d[0]
motion|sign in the sine's series|method/motion.h|(viper_scalar)(-1.0 / 6)|(viper_scalar)(1.0 / 6)
motion|sign in the cosine's series|method/motion.h|(viper_scalar)(-1.0 / 2)|(viper_scalar)(1.0 / 2)
motion|factor in the angle|method/motion.h|VIPER_R(1.0 / 256)|VIPER_R(1.0 / 128)
motion|sign of the acceleration|method/motion.h|v.c.y + h * a.c.y|v.c.y - h * a.c.y
motion|sign of the velocity|method/motion.h|x.s + h * (v.s|x.s - h * (v.s
motion|body for world axes|method/motion.h|viper_quat_mul(viper_quat_exp(viper_scale(h, omega)), q)|viper_quat_mul(q, viper_quat_exp(viper_scale(h, omega)))
motion|factor in the mean scale|method/motion.h|VIPER_R(0.5) * (s_a + s_b)|(s_a + s_b)
motion|scale for its square|method/motion.h|return s * s * inertia|return s * inertia
motion|sign of a turn|method/motion.h|viper_quat_mul(q, viper_quat_conj(old))|viper_quat_mul(viper_quat_conj(q), old)
motion|factor in an extrapolation|method/motion.h|viper_add(now, viper_scale(VIPER_R((viper_scalar)(1.0 / 3))|viper_add(now, viper_scale(VIPER_R((viper_scalar)(2.0 / 3))
motion|sign of a scale's extrapolation|method/motion.h|now.s + VIPER_R((viper_scalar)(1.0 / 3))|now.s - VIPER_R((viper_scalar)(1.0 / 3))
motion|damping left out|method/motion.h|viper_scale(keep, viper_add(out.c|viper_scale(VIPER_R(1), viper_add(out.c
motion|factor in the turn that goes on|method/motion.h|viper_scale(VIPER_R((viper_scalar)(1.0 / 3)), viper_turn_since|viper_scale(VIPER_R((viper_scalar)(2.0 / 3)), viper_turn_since
motion|a torque about w as about u|method/motion.h|VIPER_R(0.5) * rate * viper_dot(torque, w)|rate * viper_dot(torque, w)
motion|factor in a turn|method/motion.h|viper_scale(VIPER_R(2), viper_quat_im(d))|viper_quat_im(d)
bend|other rows|energy/bend.h|VIPER_BEND_FIRST, VIPER_BEND_ROWS, w, dw|1, VIPER_BEND_ROWS, w, dw
bend|factor in W|energy/bend.h|{s, VIPER_R(1), VIPER_R(0)}|{VIPER_R(2) * s, VIPER_R(2), VIPER_R(0)}
bend|sign in dW, scale|energy/bend.h|{s, VIPER_R(1), VIPER_R(0)}|{s, VIPER_R(-1), VIPER_R(0)}
twist|other row|energy/twist.h|VIPER_TWIST_FIRST, VIPER_TWIST_ROWS, w, dw|1, VIPER_TWIST_ROWS, w, dw
twist|factor in W|energy/twist.h|{s, VIPER_R(1), VIPER_R(0)}|{VIPER_R(2) * s, VIPER_R(2), VIPER_R(0)}
twist|sign in dW, scale|energy/twist.h|{s, VIPER_R(1), VIPER_R(0)}|{s, VIPER_R(-1), VIPER_R(0)}
volume_bend|other power in W|energy/volume_bend.h|{s2 * s, VIPER_R(3) * s2,|{s2, VIPER_R(3) * s2,
turns|sign in W|energy/element.h|w[i] = power.p * slope - of_rest|w[i] = power.p * slope + of_rest
turns|sign of W|energy/element.h|w[i] = power.p * slope - of_rest|w[i] = of_rest - power.p * slope
turns|sign in dW, scale|energy/element.h|dw[i][0] = power.dp|dw[i][0] = -power.dp
turns|sign in dW, frame j|energy/element.h|dw[i][1] = j.x|dw[i][1] = -j.x
turns|sign in dW, frame k|energy/element.h|dw[i][4] = k.x|dw[i][4] = -k.x
turns|factor in dW|energy/element.h|dw[i][6] = k.z|dw[i][6] = VIPER_R(2) * k.z
turns|sign in the pull's W|energy/element.h|power.p * square - product|power.p * square + product
turns|sign in the pull|energy/element.h|sums->g += kd *|sums->g -= kd *
turns|factor in the stiffness|energy/element.h|sums->bend_pull += k_more * p|sums->bend_pull += k_more
turns|sign in the rest's stiffness|energy/element.h|sums->twist_rest += k_more|sums->twist_rest -= k_more
turns|factor in the pull's block|energy/element.h|kd * (power.dp * square)|kd * square
directions|power in the block|energy/element.h|k_l2 * weight.p * weight.p|k_l2 * weight.p
directions|factor over the scale|energy/element.h|sums->scale += k_l * weight.dp|sums->scale += k_l
directions|power in the scale's block|energy/element.h|sums->square += k_dp * weight.dp|sums->square += k_dp
volume|factor of its weight|energy/volume.h|{sm * sm, sm,|{sm * sm, VIPER_R(2) * sm,
joint|sign in dD, side j|energy/element.h|g = viper_sub(cross, base)|g = viper_sub(base, cross)
joint|sign in dD, side k|energy/element.h|g = viper_add(cross, base)|g = viper_sub(base, cross)
joint|order in dD's cross|energy/element.h|viper_cross(im, p)|viper_cross(p, im)
joint|other flip in the half turn|energy/element.h|p.y, p.z), flip_k|p.y, p.z), flip_j
joint|sign in the half turn|energy/element.h|viper_signed(flip_j, flip_k)|VIPER_R(1)
joint|flip in dD|energy/element.h|viper_signed(g.y, flip)|g.y
joint|sign in D|energy/element.h|(a.w * p.w - a.x * p.x)|(a.w * p.w + a.x * p.x)
joint|factor in dD|energy/element.h|viper_quat_make(twice * rest->half.w - f.w|viper_quat_make(along * rest->half.w - f.w
joint|factor in dW of a row|energy/element.h|viper_quat_make(twice * rest->half.w - re|viper_quat_make(along * rest->half.w - re
joint|no Re D over a frame|energy/element.h|viper_dot(a, f_im) + rest->half.w * f.w|viper_dot(a, f_im)
joint|factor in a rest curvature|model/rest_rotation.h|lm / 2 * darboux|lm * darboux
joint|whole for half rest|model/rest_rotation.h|out->half[0] = (p[0] + 1) / norm|out->half[0] = p[0]
joint|sign of the half rest|model/rest_rotation.h|out->half[i] = -p[i] / norm|out->half[i] = p[i] / norm
terms|factor in the block|energy/terms.h|h[VIPER_##NAME##_COLUMN(k)][VIPER_##NAME##_COLUMN(m)] += kd|h[VIPER_##NAME##_COLUMN(k)][VIPER_##NAME##_COLUMN(m)] += VIPER_R(2) * kd
inertia|sign in a frame's gradient|energy/inertia.h|a_w * im[i] + a_z * m[i]|a_w * im[i] - a_z * m[i]
inertia|factor in a frame's gradient|energy/inertia.h|g[i] = half + half|g[i] = half
inertia|sign in a frame's block|energy/inertia.h|- a_im * im[j] + a_m * m[j]|- a_im * im[j] - a_m * m[j]
second|half a frame's second derivative|energy/inertia.h|(d.z * d.z + d.z * d.z)|(d.z * d.z)
second|no compression|energy/second.h|tension = viper_dot(force, axis)|tension = VIPER_SELECT(viper_dot(force, axis) > VIPER_R(0), viper_dot(force, axis), VIPER_R(0))
second|sign over a tilt and the twist|energy/second.h|half = VIPER_R(-0.5)|half = VIPER_R(0.5)
second|other axis over the twist|energy/second.h|h[10][9] += half * viper_dot(force, viper_quat_v|h[10][9] += half * viper_dot(force, viper_quat_u
second|sign over center and scale|energy/second.h|h[7][k] -= slope[k]|h[7][k] += slope[k]
second|no second derivative of a weight|energy/volume.h|sm, VIPER_R(0.5)}|sm, VIPER_R(0)}
second|no second derivative of a power|energy/volume_bend.h|VIPER_R(6) * s|VIPER_R(3) * s
second|rest without the scale's part|energy/second.h|hold_w += kw *|hold_w -= kw *
second|no pull of the rest|energy/second.h|pull_w += pulled|pull_w -= pulled
second|factor over a rotation alone|energy/turn_form.h|quarter = VIPER_R(-0.25)|quarter = VIPER_R(-0.5)
second|sign over both rotations|energy/turn_form.h|x = -(y_w * q[c] + p.w * v[c])|x = (y_w * q[c] + p.w * v[c])
second|flip over both rotations|energy/turn_form.h|x = viper_signed(x, rest->flip_k)|x = viper_signed(x, rest->flip_j)
second|factor of the form|energy/turn_form.h|twice * rest->half.w - f.w|twice * rest->half.w + f.w
second|other side of the form|energy/turn_form.h|side == 0 ? viper_sub(cross, base)|side == 1 ? viper_sub(cross, base)
END
}

fail() {
  echo "mutate: $*" >&2
  exit 2
}

built="src/viper/model/model.c src/viper/energy/term.c" # what the tests need of the solver, with the faults

# likely WHAT: the program that sees most faults there.
likely() {
  case $1 in
  newton | motion | directions | constraint) echo test_method ;;
  second) echo test_second ;;
  inertia) echo test_inertia ;;
  *) echo test_energy ;;
  esac
}

# build_and_run TREE FIRST: builds the programs with the sources in TREE in place of those that were copied, and runs
# them, FIRST first; says which one failed, or "none"; returns 2 where something does not build.
build_and_run() {
  local tree=$1 program source place
  for source in $built; do
    place=$work/clean
    [ ! -e "$tree/$source" ] || place=$tree
    $CC $FLAGS -I"$tree/src" -I"$work/clean/src" -c "$place/$source" -o "$tree/$(basename "$source" .c).o" || return 2
  done
  for program in $2 ${PROGRAMS/$2/}; do
    $CC $FLAGS -I"$tree/src" -I"$work/clean/src" -I"$work/tests/support" "$(find "$work/tests" -name "$program.c")" \
      "$tree"/*.o "$work"/shared/*.o $LIBS -o "$tree/$program" || return 2
    if ! timeout 30 "$tree/$program" >"$tree/log" 2>&1; then
      echo "$program"
      return 0
    fi
  done
  echo none
}

# try NUMBER WHAT FAULT FILE TEXT REPLACEMENT: writes to result.NUMBER which program saw the fault.
try() {
  local tree=$work/tree.$1 seen
  mkdir -p "$tree/src/viper/${4%/*}"
  if ! plant "$work/clean/src/viper/$4" "$5" "$6" >"$tree/src/viper/$4"; then
    seen="error: the text is not there exactly once: $5"
  elif ! seen=$(build_and_run "$tree" "$(likely "$2")" 2>&1); then
    seen="error: does not build: $seen"
  fi
  printf '%s\n' "$seen" >"$work/result.$1"
  rm -rf "$tree"
}

work=$(mktemp -d) || fail "no temporary folder"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/clean/src" "$work/shared"
if ! cp -R src/base src/scene src/viper "$work/clean/src/" || ! cp -R tests "$work/"; then
  fail "run this from the root of the source tree"
fi
for source in src/base/*.c src/scene/*.c src/viper/model/coloring.c src/viper/model/body_order.c src/viper/model/bending.c src/viper/model/section_torsion.c src/viper/model/solid.c; do
  [ "$source" = src/base/report_text.c ] && continue # needs a library of its own, and no test of these
  $CC $FLAGS -Isrc -c "$source" -o "$work/shared/$(basename "$source" .c).o" ||
    fail "$source does not build"
done
mkdir "$work/whole"
seen=$(build_and_run "$work/whole" test_energy 2>&1) || fail "the tests do not build without a fault: $seen"
[ "$seen" = none ] || fail "$seen fails without a fault"

try_all 5

caught=0 missed=0 broken=0
printf '%-13s %-32s %s\n' "in" "fault" "seen by"
for ((i = 0; i < ${#lines[@]}; i++)); do
  IFS='|' read -r what fault _ <<<"${lines[i]}"
  seen=$(cat "$work/result.$i")
  case $seen in
  none) missed=$((missed + 1)) seen="MISSED" ;;
  error:*) broken=$((broken + 1)) ;;
  *) caught=$((caught + 1)) ;;
  esac
  printf '%-13s %-32s %s\n' "$what" "$fault" "$seen"
done
echo "$caught caught, $missed missed"
[ $broken = 0 ] || fail "$broken faults could not be planted or built"
[ $missed = 0 ]

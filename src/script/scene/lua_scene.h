// SPDX-License-Identifier: GPL-3.0-or-later
/// The scene object of scripts: a userdata around a builder, with its methods.
#ifndef VB_SCRIPT_SCENE_LUA_SCENE_H
#define VB_SCRIPT_SCENE_LUA_SCENE_H

#include "scene/builder.h"
#include "script/runtime/lua_args.h"
#include "study/study.h"

/// Greatest number of elements of a set, whose indexes are 32 bits wide.
#define VB_LUA_MAX_ELEMENTS INT32_MAX

/// In place of a pin's index: components of the frame are pinned, by a vb_frame_pin.
#define VB_LUA_FRAME_PIN (-2)

/// A scene that is being built, and the settings of its run.
typedef struct vb_lua_scene {
  vb_builder *builder;
  size_t charged;       ///< bytes of the sandbox's memory that count for this scene
  int32_t fixed_driver; ///< the driver of pins without one, or -1 as long as there is none
  int32_t *node_pin;    ///< by node: its pin, or -1; for the first n_node_pin nodes
  size_t n_node_pin;
  int32_t *segment_pin; ///< by segment: its pin, -1, or VB_LUA_FRAME_PIN
  size_t n_segment_pin;
  vb_record_plan record;
  bool fields_named; ///< whether the script lists the recorded fields
  vb_convergence_plan convergence;
  vb_bench_plan bench;
  char *solver; ///< or null
  vb_option *options;
  size_t n_options;
  vb_gate *gates;
  vb_tag *gate_rows; ///< by gate: what vb_lua_read_gate returned
  size_t n_gates;
  bool finished; ///< frozen: takes no more calls
} vb_lua_scene;

/// Defines the global `vb` with its function `scene`.
void vb_lua_scene_define(lua_State *L);

/// The scene at `index`, or null where there is none.
vb_lua_scene *vb_lua_scene_test(lua_State *L, int index);

/// The scene that method `who` was called on; its arguments are at index 2.
vb_lua_scene *vb_lua_scene_self(lua_State *L, const char *who);

/// Counts `bytes` that the scene holds until it is collected.
void vb_lua_charge(lua_State *L, vb_lua_scene *scene, size_t bytes);

/// Adds a copy of an element of `size` bytes, and returns its index.
int32_t vb_lua_add(const vb_args *args, vb_lua_scene *scene, vb_tag tag, const void *element,
                   size_t size);

/// The number of elements of a set so far.
int64_t vb_lua_count(const vb_lua_scene *scene, vb_tag tag);

/// The element of set `tag` whose index `key` gives, or the i-th of the list at `key`. Raises an
/// error where there is no such element.
int32_t vb_lua_index(const vb_args *args, const vb_lua_scene *scene, vb_tag tag, const char *key);
int32_t vb_lua_index_at(const vb_args *args, const vb_lua_scene *scene, vb_tag tag, const char *key,
                        int64_t i);

/// Raises an error for want of memory.
_Noreturn void vb_lua_out_of_memory(lua_State *L);

/// A copy of `text`, owned by the caller; it counts as memory of the script for good.
char *vb_lua_copy(lua_State *L, const char *text);

/// The `list` of `n` elements of `size` bytes with one more, zeroed, at its end, which counts
/// likewise. On failure a Lua error, and the old list stays.
void *vb_lua_grow(lua_State *L, void *list, size_t n, size_t size);

/// Adds a copy of `text` to a list of `*n` texts, as vb_lua_grow does.
void vb_lua_add_text(lua_State *L, char ***list, size_t *n, const char *text);

/// Names the body of `node` by the key "name"; false where it is missing.
bool vb_lua_name_body(const vb_args *args, vb_lua_scene *scene, int32_t node);

/// Sets field `key` of the table at the top of the stack: to an integer, or to the list of the `n`
/// integers from `first` on.
void vb_lua_set_integer(lua_State *L, const char *key, lua_Integer value);
void vb_lua_set_range(lua_State *L, const char *key, lua_Integer first, lua_Integer n);

/// Within lua_next: sets the pair at the top of the stack, which stays, in the table at `to`; or
/// all pairs of the table at the top of the stack, which it pops.
void vb_lua_copy_pair(lua_State *L, int to);
void vb_lua_copy_pairs(lua_State *L, int to);

/// Appends the value at the top of the stack, which it pops, to the list at `list`.
void vb_lua_append(lua_State *L, int list);

/// Reads the key "name" into `name`, of VB_NAME_SIZE; where it is missing, it is the set's name and
/// the number of its elements so far.
void vb_lua_read_name(const vb_args *args, const vb_lua_scene *scene, vb_tag tag, char *name);

/// The place of `word`, the value of `key`, among the words of a member of set `tag`. Raises an
/// error where there is no such word.
int32_t vb_lua_choice(const vb_args *args, const char *key, vb_tag tag, const char *member,
                      const char *word);

/// A material of segments as scripts give it.
typedef struct vb_lua_material {
  int32_t model;  ///< vb_material_model
  bool isotropic; ///< from E and nu
  double young;   ///< E, Pa
  double poisson; ///< nu
  bool given[6];
  double stiffness[6]; ///< where given
} vb_lua_material;

/// Pushes the table "material" of the table `outer` and opens it, with the keys `keys`.
vb_args vb_lua_open_material(const vb_args *outer, const char *keys);

/// Reads the key "material" of the table `outer`.
vb_lua_material vb_lua_read_material(const vb_args *outer);

/// Gives the material to a segment of a radius [m].
void vb_lua_set_material(const vb_lua_material *material, double radius, vb_segment *segment);

/// Makes the quaternion `q` that `key` gave a unit one with its third axis along the unit vector
/// `w`. Raises an error where that needs a turn of more than 0.25 rad: then it is a mistake and not
/// the difference between a curve's tangent and its chord.
void vb_lua_align_frame(const vb_args *args, const char *key, const double w[3], double q[4]);

/// The curve that key `name` gives, as its index in the scene, or -1 where it is missing.
int32_t vb_lua_curve(const vb_args *args, vb_lua_scene *scene, const char *name);

/// The driver of pins that name none: it does not move, and is made once.
int32_t vb_lua_fixed_driver(const vb_args *args, vb_lua_scene *scene);

/// Pins components of a node (vb_pin_mask), or the frame of a segment (VB_PIN_FRAME), to a driver,
/// beside what of it is pinned already. Raises an error where another driver holds it.
void vb_lua_add_pin(const vb_args *args, vb_lua_scene *scene, vb_location location, int32_t index,
                    uint32_t mask, int32_t driver);

/// A bone as scripts know it: one that moves freely, or, where `bone` is -1, a driver.
typedef struct vb_lua_bone_side {
  int32_t bone;
  int32_t driver;
} vb_lua_bone_side;

/// The bone that `key` gives, or the i-th of the list at `key`: what s:bone returned.
vb_lua_bone_side vb_lua_bone_at(const vb_args *args, const vb_lua_scene *scene, const char *key);
vb_lua_bone_side vb_lua_bone_of_list(const vb_args *args, const vb_lua_scene *scene,
                                     const char *key, int64_t i);

/// Reads the keys "friction", for both, or "static_friction" and "kinetic_friction".
void vb_lua_read_friction(const vb_args *args, double *static_friction, double *kinetic_friction);

/// Adds the friction of the body that holds `node`.
void vb_lua_add_friction(const vb_args *args, vb_lua_scene *scene, int32_t node,
                         double static_friction, double kinetic_friction);

/// Gives a joint the rest curvature and twist `darboux` [1/m].
void vb_lua_add_rest_curvature(const vb_args *args, vb_lua_scene *scene, const int32_t segment[2],
                               int32_t node, const double darboux[3]);

/// Reads the keys "rest_curvature" and "loop" of a rod of `n` nodes, from these first ones on.
void vb_lua_read_rod_shape(const vb_args *args, vb_lua_scene *scene, size_t n, int32_t first_node,
                           int32_t first_segment);

/// Two numbers at key "bending", or a function of t, as the bending factors of a segment at `at`.
void vb_lua_read_bending(const vb_args *args, vb_lua_scene *scene, const vb_sample *at,
                         int32_t segment);

/// Reads the gate of table `index` into `gate`, which is zeroed and whose owner frees it; on an
/// error, too. `scene` is its scene, or null for a gate of a study, which names its runs
/// itself. Returns the set that its row counts in where that is still to be checked, otherwise 0.
vb_tag vb_lua_read_gate(lua_State *L, int index, const char *who, vb_lua_scene *scene,
                        vb_gate *gate);

/// The default solver of scripts.
#define VB_DEFAULT_SOLVER "viper"

/// Raises an error where a script, which runs in a sandbox, names a solver (null: none) that would
/// load a shared object.
void vb_lua_check_solver(lua_State *L, const char *name, const char *who);

/// Sets an option in a list that owns its names and values, in place of an older setting.
void vb_lua_set_option(lua_State *L, vb_option **options, size_t *n, const char *name,
                       const char *value);

/// The text of the option value at the top of the stack, a text, number or boolean, which it pops.
/// The result lives in the table it came from or in `buffer`.
const char *vb_lua_pop_option(const vb_args *args, const char *name, char buffer[64]);

/// Sets the options of `solver` that the table gives, in the solver's order, so that equal scripts
/// make equal lists.
void vb_lua_read_options(const vb_args *args, const vb_solver_description *solver,
                         vb_option **options, size_t *n);

/// Pushes the text of `keys`, and after it the names of a solver's options.
const char *vb_lua_push_keys(lua_State *L, const char *keys, const vb_solver_description *solver);

/// The methods of scenes: s:rod{...} is vb_lua_rod, and so on.
#define VB_LUA_METHODS(X)                                                                          \
  X(rod), X(node), X(segment), X(joint), X(hinge), X(name), X(driver), X(pin), X(load), X(record), \
      X(solver), X(gate), X(convergence), X(bundle), X(surface), X(bench), X(mesh), X(halfplane),  \
      X(contact), X(filter), X(follow), X(activation), X(bone), X(tie), X(link), X(friction),      \
      X(friction_pair), X(collider), X(look), X(set)

#define VB_LUA_METHOD(name) vb_lua_##name(lua_State *L)
int VB_LUA_METHODS(VB_LUA_METHOD);
#undef VB_LUA_METHOD

#endif

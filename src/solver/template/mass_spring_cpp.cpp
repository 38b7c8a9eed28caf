// SPDX-License-Identifier: GPL-3.0-or-later
/// A plain mass-spring rod, as a plug-in in C++: the same model as mass_spring.c, with an object
/// behind the interface. No exception may cross it: see `guarded`.
///
/// Nodes are points of mass. A spring along each segment, of the stiffness of a slow pull on the
/// rod; a weaker one across each joint, which keeps the rod from folding. No frames; scales are 1.
/// Symplectic Euler in substeps that are short enough to be stable.
#include "solver/solver.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

namespace {

using Vec = std::array<double, 3>;

Vec operator+(Vec a, const Vec &b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Vec operator-(Vec a, const Vec &b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Vec operator*(double s, const Vec &a) {
  return {s * a[0], s * a[1], s * a[2]};
}
double dot(const Vec &a, const Vec &b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
double norm(const Vec &a) {
  return std::sqrt(dot(a, a));
}
Vec cross(const Vec &a, const Vec &b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vec vec(const double a[3]) {
  return {a[0], a[1], a[2]};
}

/// A set of the scene, to be looped over.
template <class T> struct Range {
  const T *first;
  size_t n;
  Range(const T *(*get)(const vb_scene *, size_t *), const vb_scene *scene)
      : first(get(scene, &n)) {}
  const T *begin() const { return first; }
  const T *end() const { return first + n; }
  const T &operator[](size_t i) const { return first[i]; }
};

enum Energy { STRETCH, FOLDING, KINETIC, GRAVITY, N_ENERGIES };
enum Field { POSITION, VELOCITY, SCALE, MOMENTUM, N_FIELDS };

struct Spring {
  size_t a, b;
  double rest, stiffness;
  Energy energy;
};

/// All that the next step depends on.
struct State {
  std::vector<Vec> x, v;
  std::vector<double> work; ///< of drivers, then of loads
  int64_t n_steps = 0, diverged = 0;
};

class Rod {
public:
  explicit Rod(const vb_scene *scene)
      : nodes(vb_scene_nodes, scene), segments(vb_scene_segments, scene),
        joints(vb_scene_joints, scene), pins(vb_scene_pins, scene),
        drivers(vb_scene_drivers, scene), loads(vb_scene_loads, scene),
        world(*vb_scene_world(scene)), mass(nodes.n), held(nodes.n), force(nodes.n) {
    for (const vb_node &node : nodes) {
      now.x.push_back(vec(node.position));
      now.v.push_back(vec(node.velocity));
    }
    now.work.resize(drivers.n + loads.n);
    for (const vb_pin &pin : pins)
      if (pin.location == VB_AT_NODE)
        held[(size_t)pin.index] = pin.mask;
    for (size_t i = 0; i < nodes.n; i++)
      for (size_t k = 0; k < 3; k++)
        if (held[i] >> k & 1)
          now.v[i][k] = 0;
    make_springs();
    find_forces();
    set_substeps("0");
  }

  void set_substeps(const char *text) {
    int n = (int)std::strtod(text, nullptr);
    n_substeps = n > 0 ? n : stable();
  }
  int substeps() const { return n_substeps; }

  void step(int64_t n) {
    auto from = std::chrono::steady_clock::now();
    for (int64_t k = 0; k < n && !now.diverged; k++) {
      for (int i = 0; i < n_substeps; i++)
        substep(world.step / n_substeps);
      now.n_steps++;
      if (!finite())
        now.diverged = now.n_steps;
    }
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
  }

  void energies(double *out) const {
    std::fill_n(out, (size_t)N_ENERGIES, 0.0);
    for (const Spring &s : springs) {
      double longer = norm(now.x[s.b] - now.x[s.a]) - s.rest;
      out[s.energy] += 0.5 * s.stiffness * longer * longer;
    }
    for (size_t i = 0; i < nodes.n; i++) {
      out[KINETIC] += 0.5 * mass[i] * dot(now.v[i], now.v[i]);
      out[GRAVITY] -= mass[i] * dot(vec(world.gravity), now.x[i]);
    }
  }

  Vec momentum() const {
    Vec sum{};
    for (size_t i = 0; i < nodes.n; i++)
      sum = sum + mass[i] * now.v[i];
    return sum;
  }

  /// A pin exerts what the other forces on its point leave to be held.
  void reactions(double *out_force, double *out_torque) const {
    std::fill_n(out_force, 3 * drivers.n, 0.0);
    std::fill_n(out_torque, 3 * drivers.n, 0.0);
    for (const vb_pin &pin : pins) {
      if (pin.location != VB_AT_NODE)
        continue;
      size_t i = (size_t)pin.index, d = (size_t)pin.driver;
      Vec f{};
      for (size_t k = 0; k < 3; k++)
        f[k] = pin.mask >> k & 1 ? -force[i][k] : 0;
      Vec moment = cross(now.x[i] - vec(drivers[d].origin), f);
      for (size_t k = 0; k < 3; k++) {
        out_force[3 * d + k] += f[k];
        out_torque[3 * d + k] += moment[k];
      }
    }
  }

  size_t state_bytes() const {
    return 2 * nodes.n * sizeof(Vec) + now.work.size() * sizeof(double) + 2 * sizeof(int64_t);
  }
  void save(char *to) const {
    auto put = [&to](const void *from, size_t n) {
      std::memcpy(to, from, n);
      to += n;
    };
    put(now.x.data(), nodes.n * sizeof(Vec));
    put(now.v.data(), nodes.n * sizeof(Vec));
    for (const double &w : now.work)
      put(&w, sizeof w);
    put(&now.n_steps, sizeof now.n_steps);
    put(&now.diverged, sizeof now.diverged);
  }
  void restore(const char *from) {
    auto get = [&from](void *to, size_t n) {
      std::memcpy(to, from, n);
      from += n;
    };
    get(now.x.data(), nodes.n * sizeof(Vec));
    get(now.v.data(), nodes.n * sizeof(Vec));
    for (double &w : now.work)
      get(&w, sizeof w);
    get(&now.n_steps, sizeof now.n_steps);
    get(&now.diverged, sizeof now.diverged);
    find_forces();
  }

  State now;
  double seconds = 0;

private:
  /// Young's modulus of a slow pull, the section shrinking as the rod grows longer, times the
  /// section over the length.
  double stiffness(const vb_segment &s) const {
    const double *k = s.stiffness;
    double across = k[VB_KX] + k[VB_KY] + 4 * k[VB_KV];
    double modulus = k[VB_KZ] + k[VB_KV] - (across > 0 ? 4 * k[VB_KV] * k[VB_KV] / across : 0);
    return modulus * section(s) / s.rest_length;
  }
  double section(const vb_segment &s) const {
    double r = 0.5 * (nodes[(size_t)s.node[0]].rest_radius + nodes[(size_t)s.node[1]].rest_radius);
    return 3.14159265358979323846 * r * r;
  }
  void add_spring(int32_t a, int32_t b, double k, Energy energy) {
    double rest = norm(vec(nodes[(size_t)b].rest_position) - vec(nodes[(size_t)a].rest_position));
    springs.push_back({(size_t)a, (size_t)b, rest, k, energy});
  }
  void make_springs() {
    const double FOLD = 1e-3; // stiffness across a joint, of that along its segments
    for (const vb_segment &s : segments) {
      for (int32_t node : s.node)
        mass[(size_t)node] += 0.5 * s.density * section(s) * s.rest_length;
      add_spring(s.node[0], s.node[1], stiffness(s), STRETCH);
    }
    for (const vb_joint &joint : joints) {
      const vb_segment &s = segments[(size_t)joint.segment[0]];
      const vb_segment &t = segments[(size_t)joint.segment[1]];
      add_spring(s.node[s.node[0] == joint.node], t.node[t.node[0] == joint.node],
                 FOLD * std::min(stiffness(s), stiffness(t)), FOLDING);
    }
  }

  /// Substeps so short that the fastest oscillation, bounded by the sum of the springs at each
  /// point (Gershgorin), turns by one radian at most: symplectic Euler is stable below two.
  int stable() const {
    std::vector<double> sum(nodes.n);
    double fastest = 0;
    for (const Spring &s : springs) {
      sum[s.a] += 2 * s.stiffness;
      sum[s.b] += 2 * s.stiffness;
    }
    for (size_t i = 0; i < nodes.n; i++)
      if (mass[i] > 0)
        fastest = std::max(fastest, std::sqrt(sum[i] / mass[i]));
    return (int)std::min(1e6, std::ceil(world.step * fastest) + 1);
  }

  void find_forces() {
    for (size_t i = 0; i < nodes.n; i++)
      force[i] = mass[i] * vec(world.gravity);
    for (const vb_load &load : loads)
      force[(size_t)load.index] = force[(size_t)load.index] + vec(load.force);
    for (const Spring &s : springs) {
      Vec d = now.x[s.b] - now.x[s.a];
      double length = norm(d);
      Vec pull = (length > 0 ? s.stiffness * (length - s.rest) / length : 0) * d;
      force[s.a] = force[s.a] + pull;
      force[s.b] = force[s.b] - pull;
    }
  }

  void substep(double h) {
    double keep = std::exp(-h * world.damping);
    for (size_t i = 0; i < nodes.n; i++)
      for (size_t k = 0; k < 3; k++)
        if (mass[i] > 0 && !(held[i] >> k & 1)) {
          now.v[i][k] = keep * (now.v[i][k] + h * force[i][k] / mass[i]);
          now.x[i][k] += h * now.v[i][k];
        }
    for (size_t i = 0; i < loads.n; i++)
      now.work[drivers.n + i] += h * dot(vec(loads[i].force), now.v[(size_t)loads[i].index]);
    find_forces();
  }

  bool finite() const {
    auto sound = [](const Vec &a) { return std::isfinite(a[0] + a[1] + a[2]); };
    return std::all_of(now.x.begin(), now.x.end(), sound) &&
           std::all_of(now.v.begin(), now.v.end(), sound);
  }

  Range<vb_node> nodes;
  Range<vb_segment> segments;
  Range<vb_joint> joints;
  Range<vb_pin> pins;
  Range<vb_driver> drivers;
  Range<vb_load> loads;
  const vb_world &world;
  std::vector<Spring> springs;
  std::vector<double> mass;
  std::vector<uint32_t> held; ///< vb_pin_mask
  std::vector<Vec> force;     ///< of springs, gravity and loads, at the latest positions
  int n_substeps = 1;
};

/// Does `work`, and makes a status of an exception.
template <class Work> vb_status guarded(vb_error *error, Work work) {
  try {
    return work();
  } catch (const std::bad_alloc &) {
    return vb_error_memory(error);
  } catch (const std::exception &e) {
    return vb_error_set(error, VB_FAILED, "%s", e.what());
  }
}

Rod &rod(void *self) {
  return *static_cast<Rod *>(self);
}
const Rod &rod(const void *self) {
  return *static_cast<const Rod *>(self);
}

const vb_solver_description *describe(const vb_solver *) {
  static const vb_field fields[] = {
      {"position", VB_AT_NODE, 3, "m", "positions of nodes"},
      {"velocity", VB_AT_NODE, 3, "m s-1", "velocities of nodes"},
      {"scale", VB_AT_NODE, 1, "1", "scales of nodes: 1"},
      {"momentum", VB_AT_SCENE, 3, "kg m s-1", "linear momentum of all nodes"},
  };
  static const vb_energy energies[] = {
      {"stretch", "of the springs along segments", true},
      {"folding", "of the springs across joints", true},
      {"kinetic", "of the points", false},
      {"gravity", "potential of gravity, 0 at the origin", true},
  };
  static const vb_option_info options[] = {
      {"substeps", "0", nullptr, 0, 1e6, true, true, "substeps per step; 0: as many as are stable"},
  };
  static const char *const phases[] = {"step"};
  static const vb_solver_description description = [] {
    vb_solver_description d{};
    d.name = "mass-spring-cpp";
    d.long_name = "points of mass and springs, in C++";
    for (vb_tag tag : {VB_SET_WORLD, VB_SET_BODY, VB_SET_NODE, VB_SET_SEGMENT, VB_SET_JOINT,
                       VB_SET_PIN, VB_SET_DRIVER, VB_SET_LOAD})
      d.sets |= UINT64_C(1) << tag;
    d.fields = fields;
    d.n_fields = N_FIELDS;
    d.energies = energies;
    d.n_energies = N_ENERGIES;
    d.options = options;
    d.n_options = 1;
    d.phases = phases;
    d.n_phases = 1;
    d.has_reactions = true;
    return d;
  }();
  return &description;
}

/// Loads act on points alone: what acts on scales and frames finds nothing here.
vb_status check_loads(const vb_scene *scene, vb_error *error) {
  for (const vb_load &load : Range<vb_load>(vb_scene_loads, scene))
    if (load.location != VB_AT_NODE || load.scale_force != 0)
      return vb_error_set(error, VB_UNAVAILABLE,
                          "load %s acts on a scale or a frame, which mass-spring-cpp has not",
                          load.name);
  return VB_OK;
}

vb_status create(const vb_solver *solver, const vb_scene *scene, const vb_option *options,
                 size_t n_options, void **out, vb_error *error) {
  const vb_solver_description *about = describe(solver);
  vb_status status = vb_solver_check_options(about, options, n_options, error);
  if (!status)
    status = vb_solver_check_scene(about, scene, error);
  if (!status)
    status = check_loads(scene, error);
  if (status)
    return status;
  return guarded(error, [&] {
    Rod *made = new Rod(scene);
    made->set_substeps(vb_solver_option(about, options, n_options, "substeps"));
    *out = made;
    return VB_OK;
  });
}

vb_status set_option(void *self, const char *name, const char *value, vb_error *error) {
  vb_option option{name, value};
  vb_status status = vb_solver_check_options(describe(nullptr), &option, 1, error);
  if (status)
    return status;
  return guarded(error, [&] {
    rod(self).set_substeps(value); // the only option
    return VB_OK;
  });
}

vb_status get_option(void *self, const char *name, char *out, size_t size, vb_error *error) {
  if (std::string(name) != "substeps")
    return vb_error_set(error, VB_BAD_INPUT, "mass-spring-cpp has no option \"%s\"", name);
  std::snprintf(out, size, "%d", rod(self).substeps());
  return VB_OK;
}

vb_status step(void *self, int64_t n, vb_error *) {
  rod(self).step(n);
  return VB_OK;
}

vb_status sync_steps(void *self, vb_divergence *divergence, vb_error *) {
  int64_t at = rod(self).now.diverged;
  *divergence = vb_divergence{};
  divergence->diverged = at > 0;
  divergence->step = at;
  if (at > 0)
    std::snprintf(divergence->what, sizeof divergence->what,
                  "a position or velocity is not finite");
  return VB_OK;
}

size_t state_size(const void *self) {
  return rod(self).state_bytes();
}

vb_status save(void *self, void *state, vb_error *) {
  rod(self).save(static_cast<char *>(state));
  return VB_OK;
}

vb_status restore(void *self, const void *state, vb_error *) {
  rod(self).restore(static_cast<const char *>(state));
  return VB_OK;
}

size_t count(const void *self, size_t field) {
  return field == MOMENTUM ? 1 : field < N_FIELDS ? rod(self).now.x.size() : 0;
}

vb_status read_field(void *self, size_t field, double *out, vb_error *error) {
  const State &now = rod(self).now;
  if (field >= N_FIELDS)
    return vb_error_set(error, VB_BAD_INPUT, "mass-spring-cpp has no field number %zu", field);
  if (field == MOMENTUM) {
    Vec sum = rod(self).momentum();
    std::copy(sum.begin(), sum.end(), out);
    return VB_OK;
  }
  if (field == SCALE) {
    std::fill_n(out, now.x.size(), 1.0);
    return VB_OK;
  }
  for (const Vec &row : field == POSITION ? now.x : now.v)
    out = std::copy(row.begin(), row.end(), out);
  return VB_OK;
}

vb_status energies(void *self, double *out, vb_error *) {
  rod(self).energies(out);
  return VB_OK;
}

vb_status work(void *self, double *out, vb_error *) {
  const State &now = rod(self).now;
  std::copy(now.work.begin(), now.work.end(), out);
  return VB_OK;
}

vb_status reactions(void *self, double *force, double *torque, vb_error *) {
  rod(self).reactions(force, torque);
  return VB_OK;
}

vb_status timings(void *self, double *out, vb_error *) {
  *out = rod(self).seconds;
  return VB_OK;
}

void destroy(void *self) {
  delete static_cast<Rod *>(self);
}

} // namespace

const vb_solver *vb_plugin(void) {
  static const vb_solver solver = [] {
    vb_solver s{};
    s.version = VB_SOLVER_VERSION;
    s.scene_version = VB_SCENE_VERSION;
    s.describe = describe;
    s.create = create;
    s.set_option = set_option;
    s.get_option = get_option;
    s.step = step;
    s.sync = sync_steps;
    s.state_size = state_size;
    s.save = save;
    s.restore = restore;
    s.count = count;
    s.read = read_field;
    s.energies = energies;
    s.work = work;
    s.reactions = reactions;
    s.timings = timings;
    s.destroy = destroy;
    return s;
  }();
  return &solver;
}

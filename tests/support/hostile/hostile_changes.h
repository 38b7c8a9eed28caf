// SPDX-License-Identifier: GPL-3.0-or-later
/// What may be wrong with a results file: one change each to a sound one, a command that meets it,
/// and what that then says.
#ifndef VB_TESTS_SUPPORT_HOSTILE_CHANGES_H
#define VB_TESTS_SUPPORT_HOSTILE_CHANGES_H

#include "hostile/hostile_kinds.h"
#include "hostile/hostile_links.h"
#include "hostile/hostile_places.h"
#include "hostile/hostile_values.h"

/// One change to the file of the run (or the index), a command, and what it then says.
typedef struct hostile {
  const char *name;
  void (*change)(hid_t file);
  const char *command; ///< "@" stands for the folder
  const char *complaint;
} hostile;

// Arrays that do not fit each other.

static void radius_without_width(hid_t file) {
  put(file, "topology/rest_radius", 2, (hsize_t[]){3, 0}, NULL);
}

static void body_without_width(hid_t file) {
  put(file, "topology/body", 2, (hsize_t[]){3, 0}, NULL);
}

static void length_without_width(hid_t file) {
  put(file, "topology/rest_length", 2, (hsize_t[]){2, 0}, NULL);
}

static void fastening_without_width(hid_t file) {
  put(file, "topology/vertex_segment", 2, (hsize_t[]){3, 0}, NULL);
}

static void scale_without_width(hid_t file) {
  put(file, "run/frames/scale", 3, (hsize_t[]){2, 3, 0}, NULL);
}

static void times_without_width(hid_t file) {
  put(file, "run/frames/time", 2, (hsize_t[]){2, 0}, NULL);
}

static void segment_beyond(hid_t file) {
  put(file, "topology/segment", 2, (hsize_t[]){2, 2}, (double[]){0, 1, 1, 3});
}

static void segment_of_nan(hid_t file) {
  put(file, "topology/segment", 2, (hsize_t[]){2, 2}, (double[]){0, 1, 1, NAN});
}

static void segment_before(hid_t file) {
  put(file, "topology/segment", 2, (hsize_t[]){2, 2}, (double[]){0, 1, 1, -1e300});
}

static void triangle_beyond(hid_t file) {
  put(file, "topology/triangle", 2, (hsize_t[]){1, 3}, (double[]){0, 1, 1e300});
}

static void triangle_between(hid_t file) {
  put(file, "topology/triangle", 2, (hsize_t[]){1, 3}, (double[]){0, 1, 0.5});
}

static void tetrahedron_beyond(hid_t file) {
  put(file, "topology/tetrahedron", 2, (hsize_t[]){1, 4}, (double[]){0, 1, 2, 3});
}

static void body_before(hid_t file) {
  put(file, "topology/body", 1, (hsize_t[]){3}, (double[]){0, 0, -5});
}

static void carrier_of_nan(hid_t file) {
  double x[9] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  put(file, "topology/rest_position", 2, (hsize_t[]){3, 3}, x);
  put(file, "topology/vertex_segment", 1, (hsize_t[]){3}, (double[]){-1, -1, -1});
}

static void few_positions(hid_t file) {
  put_filled(file, "run/frames/position", 3, 2, 2, 3);
}

static void few_vertices(hid_t file) {
  put_filled(file, "run/frames/vertices", 3, 2, 2, 3);
}

static void few_frames(hid_t file) {
  put_filled(file, "run/frames/vertices", 3, 1, 3, 3);
}

static void gates_without_width(hid_t file) {
  put_texts(file, "gates/name", 1, 1, (const char *[]){"g"});
  put_texts(file, "gates/runs", 1, 1, (const char *[]){"a"});
  put(file, "gates/value", 2, (hsize_t[]){1, 0}, NULL);
  put(file, "gates/passed", 2, (hsize_t[]){1, 0}, NULL);
}

static const hostile RUNS[] = {
    {"negative_rows", negative_rows, "table @/a.h5 energy/total",
     "\"rows\" says that -5 rows of \"run/energy/total\" count; it must be 0 or more"},
    {"many_rows", many_rows, "table @/a.h5 energy/total", "attribute \"rows\" is no integer"},
    {"many_statuses", many_statuses, "table @/a.h5 energy/foo", "has no series"},
    {"fixed_status", fixed_status, "table @/a.h5 energy/foo", "has no series"},
    {"fixed_schema", fixed_schema, "table @/a.h5 energy/total", "no results file of this program"},
    {"many_steps", many_steps, "table @/a.h5 energy/foo", "has no series"},
    {"steps_of_floats", steps_of_floats, "table @/a.h5 energy/foo", "has no series"},
    {"negative_steps", negative_steps, "table @/a.h5 energy/foo", "has no series"},
    {"many_texts", many_texts, "table @/a.h5 energy/foo", "has no series"},
    {"many_numbers", many_numbers, "table @/a.h5 energy/foo", "has no series"},
    {"wide_times", wide_times, "table @/a.h5 energy/total", "has 4096 rows; name one"},
    {"endless_rows", endless_rows, "table @/a.h5 energy/total",
     "claims 2305843009213693952 numbers, more than its 0 bytes in the file can hold"},
    {"all_but_overflowing", all_but_overflowing, "table @/a.h5 energy/total", "claims 2305843"},
    {"endless_frames", endless_frames, "render @/a.h5", "claims 1099511627776 numbers"},
    {"product_overflows", product_overflows, "outline @/a.h5",
     "claims 2 x 4294967296 x 4294967296 numbers"},
    {"endless_segments", endless_segments, "outline @/a.h5", "claims 4611686018427387904 x 2"},
    {"endless_width", endless_width, "table @/a.h5 topology/segment", "claims 0 x 46116860184"},
    {"endless_empty_rows", endless_empty_rows, "table @/a.h5 topology/segment", "7904 x 0 numbers"},
    {"never_written", never_written, "outline @/a.h5", "claims 1099511627776 x 2 numbers"},
    {"endless_texts", endless_texts, "table @/a.h5 scenario/label", "claims 2305843009213693952 t"},
    {"endless_fixed_texts", endless_fixed_texts, "table @/a.h5 scenario/label",
     "claims 2305843009213693952 t"},
    {"no_space", no_space, "table @/a.h5 energy/total", "holds no numbers"},
    {"many_axes", many_axes, "table @/a.h5 energy/total", "holds no numbers"},
    {"texts_for_numbers", texts_for_numbers, "table @/a.h5 energy/total", "holds no numbers"},
    {"numbers_for_texts", numbers_for_texts, "table @/a.h5 energy/foo", "has no series"},
    {"fixed_texts", fixed_texts, "table @/a.h5 scenario/label", "holds no numbers"},
    {"unset_texts", unset_texts, "table @/a.h5 energy/foo", "has no series"},
    {"compound", compound, "table @/a.h5 energy/total", "holds no numbers"},
    {"array_type", array_type, "table @/a.h5 energy/total", "holds no numbers"},
    {"list_type", list_type, "table @/a.h5 energy/total", "holds no numbers"},
    {"references", references, "table @/a.h5 energy/total", "holds no numbers"},
    {"odd_numbers", odd_numbers, "table @/a.h5 energy/total", "holds no numbers"},
    {"committed_number", committed_number, "table @/a.h5 energy/total", "it is no dataset"},
    {"other_filter", other_filter, "table @/a.h5 energy/total", "uses a compression filter"},
    {"two_deflates", two_deflates, "table @/a.h5 energy/total", "uses a compression filter"},
    {"external_storage", external_storage, "table @/a.h5 energy/total",
     "is kept in another file, which is not read"},
    {"linked_dataset", linked_dataset, "table @/a.h5 energy/total", "leads out of the file"},
    {"linked_group", linked_group, "compare @/a.h5 @/good.h5", "leads out of the file"},
    {"linked_softly", linked_softly, "table @/a.h5 energy/total", "leads out of the file"},
    {"user_link", user_link, "table @/a.h5 energy/total", "leads out of the file"},
    {"loop_of_links", loop_of_links, "table @/a.h5 energy/total", "has no series"},
    {"group_in_itself", group_in_itself, "compare @/a.h5 @/good.h5", "too many groups"},
    {"deep_groups", deep_groups, "compare @/a.h5 @/good.h5", "too many groups"},
    {"made_of_other_file", made_of_other_file, "table @/a.h5 energy/total", "made of another file"},
    {"made_of_itself", made_of_itself, "table @/a.h5 energy/total", "that are made of others"},
    {"made_of_made", made_of_made, "table @/a.h5 energy/total", "that are made of others"},
    {"made_of_linked", made_of_linked, "table @/a.h5 energy/total", "leads out of the file"},
    {"made_of_nothing", made_of_nothing, "table @/a.h5 energy/total", "of another shape"},
    {"made_of_less", made_of_less, "table @/a.h5 energy/total", "of another shape"},
    {"made_of_many", made_of_many, "table @/a.h5 energy/total", "that is not there"},
    {"evil_study", evil_study, "table @/a.h5 energy/total", "\"../x\" in /scenario/study is no"},
    {"evil_escape", evil_escape, "table @/a.h5 energy/total", "\"?]0;x?\" in /scenario/run is no"},
    {"radius_without_width", radius_without_width, "outline @/a.h5", "does not fit its frames"},
    {"body_without_width", body_without_width, "outline @/a.h5 --body 0", "does not fit"},
    {"scale_without_width", scale_without_width, "outline @/a.h5", "does not fit its frames"},
    {"length_without_width", length_without_width, "render @/a.h5 --color volume_error",
     "topology is invalid"},
    {"fastening_without_width", fastening_without_width, "render @/a.h5", "topology is invalid"},
    {"times_without_width", times_without_width, "surface @/a.h5", "are no list"},
    {"segment_beyond", segment_beyond, "outline @/a.h5", "does not fit its frames"},
    {"segment_of_nan", segment_of_nan, "outline @/a.h5", "does not fit its frames"},
    {"segment_before", segment_before, "render @/a.h5", "topology is invalid"},
    {"triangle_beyond", triangle_beyond, "surface @/a.h5", "do not name vertices"},
    {"triangle_between", triangle_between, "distance @/study.h5 a a", "do not name vertices"},
    {"tetrahedron_beyond", tetrahedron_beyond, "render @/a.h5", "topology is invalid"},
    {"body_before", body_before, "render @/a.h5", "topology is invalid"},
    {"carrier_of_nan", carrier_of_nan, "render @/a.h5", "topology is invalid"},
    {"few_positions", few_positions, "render @/a.h5", "do not fit its topology"},
    {"few_vertices", few_vertices, "surface @/a.h5", "do not fit its vertices"},
    {"few_frames", few_frames, "surface @/a.h5", "has no frame 1"},
    {"gates_without_width", gates_without_width, "compare @/a.h5 @/good.h5", "/gates is damaged"},
    {"stored_beside", stored_beside, "outline @/a.h5", "is kept in another file"},
    {"stored_in_device", stored_in_device, "outline @/a.h5", "is kept in another file"},
    {"stored_in_memory", stored_in_memory, "outline @/a.h5", "is kept in another file"},
    {"stored_in_pipe", stored_in_pipe, "render @/a.h5", "is kept in another file"},
    {"stored_in_several", stored_in_several, "table @/a.h5 energy/total",
     "is kept in another file"},
    {"made_of_path", made_of_path, "table @/a.h5 energy/total", "made of another file"},
    {"made_of_own_name", made_of_own_name, "table @/a.h5 energy/total", "made of another file"},
    {"made_of_pattern", made_of_pattern, "table @/a.h5 energy/total", "made of another file"},
    {"made_of_both", made_of_both, "compare @/a.h5 @/good.h5", "made of another file"},
    {"linked_to_itself", linked_to_itself, "table @/a.h5 energy/total", "leads out of the file"},
    {"linked_to_device", linked_to_device, "table @/a.h5 energy/total", "leads out of the file"},
    {"linked_to_pipe", linked_to_pipe, "table @/a.h5 energy/total", "leads out of the file"},
    {"linked_scenario", linked_scenario, "info @/a.h5", "leads out of the file"},
    {"linked_topology", linked_topology, "render @/a.h5", "leads out of the file"},
    {"linked_by_chain", linked_by_chain, "table @/a.h5 energy/total", "leads out of the file"},
    {"ring_of_links", ring_of_links, "table @/a.h5 energy/total", "has no series"},
    {"user_link_to_run", user_link_to_run, "render @/a.h5", "leads out of the file"},
    {"root_in_itself", root_in_itself, "compare @/a.h5 @/good.h5", "too many groups"},
    {"filter_of_plugin", filter_of_plugin, "table @/a.h5 energy/total",
     "uses a compression filter"},
    {"filter_of_stranger", filter_of_stranger, "table @/a.h5 energy/total",
     "uses a compression filter"},
    {"filter_of_bits", filter_of_bits, "table @/a.h5 energy/total", "uses a compression filter"},
    {"chunk_without_end", chunk_without_end, "table @/a.h5 energy/total",
     "claims 68719476736 numbers"},
    {"moments", moments, "table @/a.h5 energy/total", "holds no numbers"},
    {"bits", bits, "table @/a.h5 energy/total", "holds no numbers"},
    {"enumeration", enumeration, "table @/a.h5 energy/total", "holds no numbers"},
    {"opaque", opaque, "table @/a.h5 energy/total", "holds no numbers"},
    {"own_float", own_float, "table @/a.h5 energy/total", "holds no numbers"},
    {"wide_integer", wide_integer, "table @/a.h5 energy/total", "holds no numbers"},
    {"gigabyte_text", gigabyte_text, "info @/a.h5", "\"/scenario/run\" holds no texts"},
    {"regions", regions, "table @/a.h5 energy/total", "holds no numbers"},
    {"nested_lists", nested_lists, "table @/a.h5 energy/total", "holds no numbers"},
    {"texts_by_filling", texts_by_filling, "info @/a.h5", "in /scenario/study is no name"},
    {"group_for_times", group_for_times, "table @/a.h5 energy/total",
     "\"run/time\" is no series: it is no dataset"},
    {"dataset_for_run", dataset_for_run, "info @/a.h5", "is not the results file of a run"},
    {"type_for_topology", type_for_topology, "outline @/a.h5", "has no dataset"},
    {"empty_attribute", empty_attribute, "table @/a.h5 energy/total",
     "attribute \"rows\" is no integer"},
    {"attribute_of_lists", attribute_of_lists, "table @/a.h5 energy/total",
     "attribute \"rows\" is no integer"},
    {"crowd_of_attributes", crowd_of_attributes, "table @/a.h5 energy/total", "-5 rows"},
    {"long_names", long_names, "compare @/a.h5 @/good.h5",
     "\"energy\" holds a name that is too long"},
    {"no_rows_yet", no_rows_yet, "table @/a.h5 energy/total", "it has 2 rows, not 0"},
    {"times_of_nan", times_of_nan, "render @/a.h5 --frame 7", "frame"},
    {"view_of_another_file", view_of_another_file, "table @/a.h5", "made of another file"},
    {"view_of_itself", view_of_itself, "table @/a.h5", "that are made of others"},
    {"gates_of_two_lengths", gates_of_two_lengths, "compare @/a.h5 @/good.h5", "/gates"},
};

static const hostile INDEXES[] = {
    {"evil_run", evil_run, "plot @/study.h5",
     "\"x';touch${IFS}pwned;'\" in /scenario/runs is no name; it must be of letters"},
    {"evil_member", evil_member, "table @/study.h5 scenario/title", "in /runs is no name"},
    {"evil_scaling", evil_scaling, "table @/study.h5 scaling/names",
     "in /scaling/names is no name"},
    {"evil_case", evil_case, "plot @/study.h5", "\"x y\" in /bench is no name"},
    {"evil_figure", evil_figure, "plot @/study.h5", "\"../../sec/evil\" in the attribute figure"},
    {"lead_up", lead_up, "pack @/study.h5 --out @/plots", "its run \"a\" cannot be opened"},
    {"lead_to_root", lead_to_root, "render @/study.h5", "its run \"a\" cannot be opened"},
    {"lead_to_group", lead_to_group, "render @/study.h5", "leads out of the file"},
    {"lead_to_symlink", lead_to_symlink, "outline @/study.h5 --run a", "its run \"a\" cannot be"},
    {"lead_to_pipe", lead_to_pipe, "surface @/study.h5 --run a", "its run \"a\" cannot be opened"},
    {"lead_to_itself", lead_to_itself, "table @/study.h5 runs/a/energy/total",
     "its run \"a\" cannot be opened"},
    {"lead_nowhere", lead_nowhere, "compare @/study.h5 @/study.h5",
     "should be the file nowhere.h5"},
    {"lead_by_path", lead_by_path, "table @/study.h5 runs/a/energy/total",
     "its run \"a\" cannot be opened"},
    {"lead_by_dot", lead_by_dot, "table @/study.h5 runs/a/energy/total",
     "its run \"a\" cannot be opened"},
    {"lead_to_device", lead_to_device, "render @/study.h5", "its run \"a\" cannot be opened"},
    {"lead_to_folder", lead_to_folder, "outline @/study.h5 --run a",
     "its run \"a\" cannot be opened"},
    {"lead_to_proc", lead_to_proc, "pack @/study.h5 --out @/plots",
     "its run \"a\" cannot be opened"},
    {"lead_softly", lead_softly, "table @/study.h5 runs/a/energy/total", "leads out of the file"},
    {"lead_by_user", lead_by_user, "table @/study.h5 runs/a/energy/total", "leads out of the file"},
    {"linked_gates", linked_gates, "compare @/study.h5 @/study.h5", "leads out of the file"},
    {"run_without_link", run_without_link, "table @/study.h5 runs/b/energy/total",
     "has no run \"b\""},
    {"no_runs", no_runs, "render @/study.h5", "is the index of no runs"},
    {"two_of_one_name", two_of_one_name, "render @/study.h5 --run b", "none of them b"},
    {"lead_by_controls", lead_by_controls, "table @/study.h5 runs/a/energy/total",
     "it should be the file ?[31m.h5"},
    {"lead_by_long_name", lead_by_long_name, "table @/study.h5 runs/a/energy/total",
     "leads out of the file"},
    {"figure_of_command", figure_of_command, "plot @/study.h5",
     "\"|touch pwned\" in the attribute figure"},
};

#define N_RUNS    ((int)(sizeof RUNS / sizeof *RUNS))
#define N_INDEXES ((int)(sizeof INDEXES / sizeof *INDEXES))

#endif

# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of HDF5 whose bytes are not what its library writes: each a small change of a sound file, with right checksums,
so that the library gets as far as the change. Where things lie is in HDF5's File Format Specification, version 3."""
import struct
import zlib

import numpy as np

SERIES = 'run/energy/total'
SIGNATURE = b'\x89HDF\r\n\x1a\n'


def rotate(x, k):
    return (x << k | x >> (32 - k)) & 0xffffffff


# (word, other, k) of a round of Jenkins' lookup3: word ^= other; word -= rotate(other, k).
FINAL = ((2, 1, 14), (0, 2, 11), (1, 0, 25), (2, 1, 16), (0, 2, 4), (1, 0, 14), (2, 1, 24))
MIX = ((0, 2, 4), (1, 0, 6), (2, 1, 8), (0, 2, 16), (1, 0, 19), (2, 1, 4))


def checksum(data):
    """Jenkins' lookup3, by which HDF5 signs its structures."""
    s, n = [(0xdeadbeef + len(data)) & 0xffffffff] * 3, len(data)
    for at in range(0, n, 12):
        words = struct.unpack('<III', bytes(data[at:at + 12]).ljust(12, b'\0'))
        s = [(x + y) & 0xffffffff for x, y in zip(s, words)]
        if n - at > 12:
            for word, other, k in MIX:
                s[word] = (s[word] - s[other]) & 0xffffffff ^ rotate(s[other], k)
                s[other] = (s[other] + s[3 - word - other]) & 0xffffffff
    for word, other, k in FINAL if n else ():
        s[word] = ((s[word] ^ s[other]) - rotate(s[other], k)) & 0xffffffff
    return s[2]


def places(data, sign):
    """Where the bytes of a signature are."""
    at = data.find(sign)
    while at >= 0:
        yield at
        at = data.find(sign, at + 1)


def at(place, form, *values):
    def change(data, _):
        struct.pack_into(form, data, place, *values)
    return change


def each(sign, offset, form, *values):
    """Writes values at that offset of each structure; 'here' is its own address."""
    def change(data, _):
        found = list(places(data, sign))
        assert found, sign
        for place in found:
            struct.pack_into(form, data, place + offset, *[place if v == 'here' else v for v in values])
    return change


def each_chunk(offset, form, *values):
    """Writes into each entry of the trees of chunks."""
    def change(data, _):
        trees = [p for p in places(data, b'TREE') if data[p + 4] == 1]
        assert trees
        for tree in trees:
            for k in range(struct.unpack_from('<H', data, tree + 6)[0]):
                struct.pack_into(form, data, tree + 24 + 32 * k + offset, *[tree if v == 'here' else v for v in values])
    return change


def texts(offset, form, value):
    """Writes into each reference to a text of the first collection: 4 bytes of length, address, index."""
    def change(data, _):
        address = struct.pack('<Q', data.find(b'GCOL'))
        for place in list(places(data, address)):
            if struct.unpack_from('<I', data, place - 4)[0] < 100:
                struct.pack_into(form, data, place + offset, value)
    return change


def head(data, start):
    """The first message and the end of an object header of version 2."""
    flags = data[start + 5]
    size = start + 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
    width = 1 << (flags & 3)
    return size + width, size + width + int.from_bytes(data[size:size + width], 'little')


def message(kind, patch):
    """Changes the messages of a kind of the series' header by patch(data, body, size, place, header), and signs it."""
    def change(data, start):
        assert data[start:start + 4] == b'OHDR'
        place, end = head(data, start)
        patched = 0
        while place + 4 <= end:
            size, body = struct.unpack_from('<H', data, place + 1)[0], place + 4 + (2 if data[start + 5] & 4 else 0)
            if data[place] == kind:
                patch(data, body, size, place, start)
                patched += 1
            place = body + size
        assert patched, kind
        struct.pack_into('<I', data, end, checksum(data[start:end]))
    return change


def within(offset, form, *values):
    return lambda data, body, size, place, start: struct.pack_into(form, data, body + offset, *values)


def from_end(form, *values):
    return lambda data, body, size, place, start: struct.pack_into(form, data, body + size - struct.calcsize(form), *values)


def goes_on_in_itself(data, body, size, place, start):
    data[place] = 0x10  # goes on elsewhere
    struct.pack_into('<QQ', data, body, start, 64)


def members_overlap(data, body, size, place, start):
    data[data.index(b'second\0', body) + 7] = 4  # where it begins


def ring_of_headers(data, start):
    """A header of version 1, all of whose messages say that it goes on where it is."""
    size, place = struct.unpack_from('<I', data, start + 8)[0], start + 16
    while place < start + 16 + size:
        length = struct.unpack_from('<H', data, place + 2)[0]
        if length >= 16:
            struct.pack_into('<H', data, place, 0x10)
            struct.pack_into('<QQ', data, place + 8, start + 16, size)
        place += 8 + length
    struct.pack_into('<H', data, start + 2, 65535)


def signed_superblock(data, flags):
    data[11] = flags
    struct.pack_into('<I', data, 44, checksum(data[:44]))


def names_without_zero(data, _):
    for place in list(places(data, b'HEAP')):
        size, _, where = struct.unpack_from('<QQQ', data, place + 8)
        data[where:where + size] = b'x' * size


def replace(file, **how):
    del file[SERIES]
    return file.create_dataset(SERIES, **how)


def chunks(**how):
    return lambda file: replace(file, data=np.arange(400.0), chunks=(4,), **how)


def bomb(file):
    """Chunks of 32 bytes that inflate to 64 MB."""
    data = replace(file, shape=(8,), dtype='f8', chunks=(4,), compression='gzip')
    for first in (0, 4):
        data.id.write_direct_chunk((first,), zlib.compress(bytes(1 << 26), 9))


def pairs(file):
    replace(file, data=np.zeros(4, [('first', 'f8'), ('second', 'f8')]))


def filled(file):
    replace(file, data=np.zeros(4), fillvalue=3.0)


def crowd(file):
    for i in range(300):
        file['run'].attrs[f'a{i}'] = 'x' * 100


OLD, NEW = 'earliest', 'latest'

# name: the format, what is put into the sound file before, and the change of its bytes (at the series' header).
FILES = {
    'empty': (OLD, None, lambda data, _: data.clear()),
    'signature_alone': (OLD, None, lambda data, _: data.__delitem__(slice(8, None))),
    'end_beyond': (OLD, None, at(40, '<Q', 2**62)),
    'root_at_zero': (OLD, None, at(64, '<Q', 0)),
    'offsets_of_two_bytes': (OLD, None, at(13, '<BB', 2, 2)),
    'behind_a_script': (OLD, None, lambda data, _: data.__setitem__(slice(0, 0), b'#!/bin/sh\n'.ljust(512, b'#'))),
    'two_signatures': (OLD, None, lambda data, _: data.__setitem__(slice(0, 0), SIGNATURE.ljust(512, b'\xff'))),
    'written_to': (NEW, None, lambda data, _: signed_superblock(data, 1)),
    'written_to_and_read': (NEW, None, lambda data, _: signed_superblock(data, 5)),
    'tree_in_itself': (OLD, None, each(b'TREE', 5, '<B', 3)),
    'children_in_a_ring': (OLD, None, each(b'TREE', 32, '<Q', 'here')),
    'siblings_in_a_ring': (OLD, None, each(b'TREE', 8, '<QQ', 'here', 'here')),
    'entries_without_end': (OLD, None, each(b'SNOD', 6, '<H', 65535)),
    'names_beyond_heap': (OLD, None, each(b'SNOD', 8, '<Q', 2**63)),
    'objects_in_names': (OLD, None, each(b'SNOD', 16, '<Q', 'here')),
    'heap_of_exabytes': (OLD, None, each(b'HEAP', 8, '<Q', 2**60)),
    'heap_of_itself': (OLD, None, each(b'HEAP', 24, '<Q', 'here')),
    'names_without_zero': (OLD, None, names_without_zero),
    'collection_of_terabytes': (OLD, None, each(b'GCOL', 24, '<Q', 2**40)),
    'collection_of_nothing': (OLD, None, each(b'GCOL', 8, '<Q', 0)),
    'texts_of_gigabytes': (OLD, None, texts(-4, '<I', 2**31 - 1)),
    'texts_of_no_object': (OLD, None, texts(8, '<I', 60000)),
    'texts_in_superblock': (OLD, None, texts(0, '<Q', 0)),
    'ring_of_headers': (OLD, None, ring_of_headers),
    'header_goes_on_in_itself': (NEW, None, message(0x3, goes_on_in_itself)),
    'rank_of_255': (NEW, None, message(0x1, within(1, '<B', 255))),
    'extent_of_2_64': (NEW, None, message(0x1, within(4, '<Q', 2**64 - 1))),
    'float_of_no_bits': (NEW, None, message(0x3, within(10, '<HBBBB', 0, 0, 0, 0, 0))),
    'float_beyond_its_bytes': (NEW, None, message(0x3, within(8, '<HH', 60000, 60000))),
    'type_of_no_bytes': (NEW, None, message(0x3, within(4, '<I', 0))),
    'type_of_gigabytes': (NEW, None, message(0x3, within(4, '<I', 2**31 - 1))),
    'type_of_class_15': (NEW, None, message(0x3, within(0, '<B', 0x3f))),
    'data_in_superblock': (NEW, None, message(0x8, within(2, '<Q', 0))),
    'data_beyond_end': (NEW, None, message(0x8, within(2, '<Q', 2**62))),
    'data_of_exabytes': (NEW, None, message(0x8, from_end('<Q', 2**62))),
    'fill_of_gigabytes': (NEW, filled, message(0x5, within(2, '<I', 2**31 - 1))),
    'members_overlap': (NEW, pairs, message(0x3, members_overlap)),
    'chunks_of_4_gigabytes': (OLD, chunks(compression='gzip'), each_chunk(0, '<I', 2**32 - 1)),
    'chunks_in_superblock': (OLD, chunks(compression='gzip'), each_chunk(24, '<Q', 0)),
    'chunks_in_their_tree': (OLD, chunks(), each_chunk(24, '<Q', 'here')),
    'chunks_unfiltered': (OLD, chunks(compression='gzip'), each_chunk(4, '<I', 2**32 - 1)),
    'chunks_of_other_sums': (OLD, chunks(fletcher32=True), lambda data, _: data.__setitem__(
        data.index(struct.pack('<dd', 4, 5)), 1)),
    'chunks_that_swell': (OLD, bomb, lambda data, _: None),
    'table_of_chunks_cut': (NEW, chunks(), lambda data, _: [data.__setitem__(p + 6, 255) for p in places(data, b'FADB')]),
    'crowd_of_attributes_cut': (NEW, crowd, lambda data, _: [
        data.__setitem__(slice(p + 20, p + 400), b'\xff' * 380) for p in list(places(data, b'FHDB'))]),
}


def make(h5py, sound, name, path):
    """Makes a file; `sound` makes and opens the one to be changed."""
    form, prepare, change = FILES[name]
    with sound(h5py, path, form) as file:
        if prepare:
            prepare(file)
    with h5py.File(path, 'r') as file:
        start = h5py.h5o.get_info(file[SERIES].id).addr
    with open(path, 'rb') as file:
        data = bytearray(file.read())
    change(data, start)
    with open(path, 'wb') as file:
        file.write(data)

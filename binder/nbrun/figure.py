"""Are the two pictures of a figure whole? Without imaging libraries: a check needs no pixels, only their pattern."""

from __future__ import annotations

import base64
import binascii
import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

DATA = "application/vnd.memlab.figure+json"
SVG = "image/svg+xml"
PNG = "image/png"
ALTERNATIVE = "text/plain"

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # samples per pixel, by PNG colour type


class BrokenPicture(Exception):
    """A picture that cannot be shown: the reason."""


def parse_data(value: Any) -> Any:
    """The data of a figure as an object; GoNB's protocol carries JSON as a string."""
    if isinstance(value, list) and value and all(isinstance(line, str) for line in value):
        value = "".join(value)
    return json.loads(value) if isinstance(value, str) else value


def problems(bundle: Mapping[str, Any]) -> list[str]:
    """What is wrong with the parts of a figure's output; nothing when it is no figure."""
    if DATA not in bundle:
        return []
    found = []
    try:
        if not isinstance(parse_data(bundle[DATA]), dict):
            found.append(f"{DATA} is not an object")
    except json.JSONDecodeError as error:
        found.append(f"{DATA} is not valid JSON: {error}")
    if not str(bundle.get(ALTERNATIVE, "")).strip():
        found.append(f"no text alternative ({ALTERNATIVE})")
    for mime, check in ((SVG, check_svg), (PNG, check_png)):
        try:
            check(bundle.get(mime))
        except BrokenPicture as error:
            found.append(f"{mime} {error}")
    return found


def check_svg(svg: Any) -> None:
    """Raises BrokenPicture unless svg is well-formed XML with an svg element that holds something."""
    if not isinstance(svg, str) or not svg.strip():
        raise BrokenPicture("is missing or empty")
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise BrokenPicture(f"is not well-formed: {error}") from error
    if root.tag.rpartition("}")[2] != "svg":
        raise BrokenPicture(f"holds <{root.tag}>, want <svg>")
    if len(root) == 0:
        raise BrokenPicture("draws nothing")


def check_png(encoded: Any) -> None:
    """Raises BrokenPicture unless encoded is a PNG (base64) of more than one colour."""
    if not isinstance(encoded, str) or not encoded.strip():
        raise BrokenPicture("is missing or empty")
    try:
        data = base64.b64decode("".join(encoded.split()), validate=True)
    except binascii.Error as error:
        raise BrokenPicture(f"is not base64: {error}") from error
    if not data.startswith(PNG_SIGNATURE):
        raise BrokenPicture("has no PNG signature")
    try:
        chunks = list(_chunks(data))
        pixels = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    except struct.error as error:
        raise BrokenPicture("is damaged: it ends too early") from error
    except zlib.error as error:
        raise BrokenPicture(f"is damaged: {error}") from error
    if not chunks or chunks[0][0] != b"IHDR" or len(chunks[0][1]) != 13:
        raise BrokenPicture("does not begin with IHDR")
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    if width == 0 or height == 0 or colour not in CHANNELS:
        raise BrokenPicture(f"says it is {width} x {height} pixels of colour type {colour}")
    if depth >= 8 and not interlace and _one_colour(pixels, width, CHANNELS[colour] * depth // 8):
        raise BrokenPicture("is of one single colour")


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(PNG_SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack_from(">I", data, at + 8 + length)
        if zlib.crc32(kind + body) != checksum:
            raise BrokenPicture(f"is damaged: wrong checksum of {kind.decode('latin-1')}")
        yield kind, body
        at += 12 + length


def _one_colour(pixels: bytes, width: int, size: int) -> bool:
    """Whether all pixels (of size bytes) equal the first one.

    A row is a filter's number and the filtered bytes. In a picture of one colour each filter can only give one row
    (another for the first), so rows are compared as they are, at the speed of bytes and without decoding them.
    """
    stride = 1 + width * size
    pixel = pixels[1 : 1 + size]
    same, none, once = pixel * width, bytes(width * size), pixel + bytes((width - 1) * size)
    half = bytes(value - value // 2 for value in pixel)
    first = (same, once, same, pixel + half * (width - 1), once)  # None, Sub, Up, Average, Paeth
    later = (same, once, none, half + bytes((width - 1) * size), none)
    for at in range(0, len(pixels), stride):
        expected = later if at else first
        if pixels[at] >= len(expected) or pixels[at + 1 : at + stride] != expected[pixels[at]]:
            return False
    return True

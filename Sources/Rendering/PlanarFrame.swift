/// A decoded picture in memory: a luma plane and, unless the picture is grey, two chroma planes.
///
/// A frame belongs to one stage of a pipeline at a time. Until this stage passes the frame on, only this stage may
/// write to it.
package final class PlanarFrame: @unchecked Sendable {
  /// The memory of one plane. `stride` is the distance between two rows in bytes. `width` and `height` count samples.
  package struct Plane {
    package let base: UnsafeMutableRawPointer
    package let stride: Int
    package let width: Int
    package let height: Int

    /// Returns the address of the first sample of a row.
    func row(_ y: Int) -> UnsafeMutableRawPointer { base + y &* stride }

    /// Copies samples from another plane, limited to the area inside both planes.
    ///
    /// - Parameters:
    ///   - source: The other plane.
    ///   - first: The column and row of the first sample to copy.
    ///   - place: The column and row to which the first sample is copied.
    ///   - size: The number of bytes per sample.
    func copy(
      _ source: Plane, from first: (x: Int, y: Int) = (0, 0), to place: (x: Int, y: Int) = (0, 0),
      sampleSize size: Int
    ) {
      let bytes = min(source.width - first.x, width - place.x) * size
      let rows = min(source.height - first.y, height - place.y)
      guard bytes > 0, rows > 0 else { return }
      for y in 0..<rows {
        (row(place.y + y) + place.x * size)
          .copyMemory(from: source.row(first.y + y) + first.x * size, byteCount: bytes)
      }
    }

    /// Repeats the last column and the last row of an area, to the right of the area and below it.
    ///
    /// - Parameters:
    ///   - part: The width and height of the area in samples. The area starts in the top-left corner.
    ///   - room: The width and height of the allocated memory in samples.
    ///   - size: The number of bytes per sample.
    fileprivate func extendEdges(
      of part: (width: Int, height: Int), to room: (width: Int, height: Int), sampleSize size: Int
    ) {
      for y in 0..<part.height {
        for x in part.width * size..<max(part.width, room.width) * size {
          let neighbour = row(y).load(fromByteOffset: x - size, as: UInt8.self)
          row(y).storeBytes(of: neighbour, toByteOffset: x, as: UInt8.self)
        }
      }
      for y in part.height..<max(part.height, room.height) {
        row(y).copyMemory(from: row(part.height - 1), byteCount: room.width * size)
      }
    }
  }

  /// The size, sampling, bit depth and colours.
  package let format: FrameFormat
  package let planes: [Plane]
  private let memory: UnsafeMutableRawPointer?
  private let owner: AnyObject?

  /// The alignment of row lengths and row addresses in bytes, chosen to suit SIMD instructions and codecs.
  package static let rowAlignment = 64

  /// Creates a frame with its own memory, filled with zeros.
  ///
  /// The allocated width and height are rounded up to a multiple of four samples, so that codecs that process whole
  /// blocks of chroma samples can write complete blocks.
  ///
  /// - Parameter format: The size, sampling, bit depth and colours.
  /// - Returns: Nil if the format is not valid.
  package convenience init?(format: FrameFormat) {
    guard format.isValid else { return nil }
    self.init(valid: format)
  }

  /// - Parameter format: A valid format (see ``FrameFormat/isValid``).
  package init(valid format: FrameFormat) {
    var sizes: [(stride: Int, bytes: Int)] = []
    for plane in 0..<format.sampling.planeCount {
      let (width, height) = format.planeSize(plane)
      let rowBytes = ((width + 3) & ~3) * format.bytesPerSample
      let stride = (rowBytes + Self.rowAlignment - 1) & ~(Self.rowAlignment - 1)
      sizes.append((stride, stride * ((height + 3) & ~3)))
    }
    let total = sizes.reduce(0) { $0 + $1.bytes }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: total, alignment: Self.rowAlignment)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: total)
    var offset = 0
    var planes: [Plane] = []
    for (index, size) in sizes.enumerated() {
      let (width, height) = format.planeSize(index)
      planes.append(Plane(base: memory + offset, stride: size.stride, width: width, height: height))
      offset += size.bytes
    }
    self.format = format
    self.planes = planes
    self.memory = memory
    self.owner = nil
  }

  /// Creates a frame that uses memory owned by another object. The memory must contain every row of every plane.
  ///
  /// - Parameters:
  ///   - format: The size, sampling, bit depth and colours.
  ///   - rows: The address of the first row and the distance between rows in bytes, for each plane.
  ///   - owner: The object that keeps the memory alive. The frame retains this object.
  package init(
    format: FrameFormat, rows: [(base: UnsafeMutableRawPointer, stride: Int)], owner: AnyObject
  ) {
    self.format = format
    self.planes = rows.enumerated().map { index, row in
      let (width, height) = format.planeSize(index)
      return Plane(base: row.base, stride: row.stride, width: width, height: height)
    }
    self.memory = nil
    self.owner = owner
  }

  /// Whether the frame owns its memory. Such memory has room up to the next multiple of four samples.
  package var ownsMemory: Bool { memory != nil }

  deinit {
    memory?.deallocate()
  }

  /// Repeats the last column and the last row of every plane up to the next multiple of four samples, because encoders
  /// that process whole blocks read these samples. The frame must own its memory.
  package func extendEdges() {
    guard ownsMemory else { return }
    for plane in planes {
      plane.extendEdges(
        of: (plane.width, plane.height), to: ((plane.width + 3) & ~3, (plane.height + 3) & ~3),
        sampleSize: format.bytesPerSample)
    }
  }

  /// Copies samples from another picture of the same layout, limited to the area inside both pictures.
  ///
  /// - Parameters:
  ///   - picture: The other picture.
  ///   - first: The luma column and row of the first sample to copy. A chroma sample must start there.
  ///   - place: The luma column and row to which the first sample is copied. A chroma sample must start there.
  package func copy(
    _ picture: PlanarFrame, from first: (x: Int, y: Int) = (0, 0), to place: (x: Int, y: Int) = (0, 0)
  ) {
    for (index, (source, plane)) in zip(picture.planes, planes).enumerated() {
      plane.copy(
        source, from: format.place(first, inPlane: index), to: format.place(place, inPlane: index),
        sampleSize: format.bytesPerSample)
    }
  }

  /// Returns an area of the picture. If the area extends beyond the picture, the picture's last column and last row are
  /// repeated.
  ///
  /// - Parameters:
  ///   - first: The luma column and row of the area's top-left sample, within the picture. A chroma sample
  ///     must start there.
  ///   - format: The format of the area, with the same chroma sampling and bit depth.
  package func part(from first: (x: Int, y: Int), _ format: FrameFormat) -> PlanarFrame {
    let part = PlanarFrame(valid: format)
    part.copy(self, from: first)
    for (index, (source, plane)) in zip(planes, part.planes).enumerated() {
      let place = format.place(first, inPlane: index)
      plane.extendEdges(
        of: (min(plane.width, source.width - place.x), min(plane.height, source.height - place.y)),
        to: (plane.width, plane.height), sampleSize: format.bytesPerSample)
    }
    return part
  }
}

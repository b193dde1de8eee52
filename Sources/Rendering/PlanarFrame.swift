/// A picture in memory: a luma plane and, unless it is grey, two chroma planes, as a codec decodes them.
///
/// A frame belongs to one stage of a pipeline at a time: whoever holds it may write, then hands it on.
package final class PlanarFrame: @unchecked Sendable {
  /// One plane's memory. `stride` is the distance of two rows in bytes; `width` and `height` count samples.
  package struct Plane {
    package let base: UnsafeMutableRawPointer
    package let stride: Int
    package let width: Int
    package let height: Int

    /// Where a row begins.
    func row(_ y: Int) -> UnsafeMutableRawPointer { base + y &* stride }

    /// Copies samples of another plane, as far as they lie within both.
    ///
    /// - Parameters:
    ///   - source: the other plane.
    ///   - first: the column and row of its first sample that is copied.
    ///   - place: the column and row where that sample goes.
    ///   - size: bytes of a sample.
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

    /// Repeats the last column and row of a part of the plane beside and below it.
    ///
    /// - Parameters:
    ///   - part: columns and rows of the part, which begins at the upper left.
    ///   - room: columns and rows that there is memory for.
    ///   - size: bytes of a sample.
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

  /// Size, layout and colours.
  package let format: FrameFormat
  package let planes: [Plane]
  private let memory: UnsafeMutableRawPointer?
  private let owner: AnyObject?

  /// A multiple of the row length and of row addresses, in bytes; what vector units and codecs like best.
  package static let rowAlignment = 64

  /// A frame with memory of its own, its samples zero.
  ///
  /// Rows and columns are there up to the next multiple of four samples, so that codecs that work in blocks
  /// of chroma samples can fill them.
  ///
  /// - Parameter format: size, layout and colours.
  /// - Returns: nil when the format is not valid.
  package convenience init?(format: FrameFormat) {
    guard format.isValid else { return nil }
    self.init(valid: format)
  }

  /// - Parameter format: a format whose `isValid` holds.
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

  /// A frame over memory of something else, which must hold every row of every plane.
  ///
  /// - Parameters:
  ///   - format: size, layout and colours.
  ///   - rows: for each plane the first row and the distance of rows in bytes.
  ///   - owner: what keeps the memory alive; held as long as the frame is.
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

  /// True if the memory is the frame's own, with room up to the next multiple of four samples.
  package var ownsMemory: Bool { memory != nil }

  deinit {
    memory?.deallocate()
  }

  /// Repeats the last column and row of every plane into the room up to the next multiple of four samples,
  /// which encoders that work in blocks read. Only for frames with memory of their own.
  package func extendEdges() {
    guard ownsMemory else { return }
    for plane in planes {
      plane.extendEdges(
        of: (plane.width, plane.height), to: ((plane.width + 3) & ~3, (plane.height + 3) & ~3),
        sampleSize: format.bytesPerSample)
    }
  }

  /// Copies samples of another picture of the same layout, as far as they lie within both.
  ///
  /// - Parameters:
  ///   - picture: the other picture.
  ///   - first: luma column and row of its first sample that is copied: whole chroma samples.
  ///   - place: luma column and row where that sample goes, likewise.
  package func copy(
    _ picture: PlanarFrame, from first: (x: Int, y: Int) = (0, 0), to place: (x: Int, y: Int) = (0, 0)
  ) {
    for (index, (source, plane)) in zip(picture.planes, planes).enumerated() {
      plane.copy(
        source, from: format.place(first, inPlane: index), to: format.place(place, inPlane: index),
        sampleSize: format.bytesPerSample)
    }
  }

  /// A part of the picture, its last columns and rows repeated where it reaches beyond the picture.
  ///
  /// - Parameters:
  ///   - first: luma column and row of its upper left sample: whole chroma samples, within the picture.
  ///   - format: the part's, of the same layout.
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

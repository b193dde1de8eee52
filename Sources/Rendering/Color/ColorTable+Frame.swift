import Basics
internal import CPixelKernels

extension ColorTable {
  /// Changes the colours of a frame in place.
  ///
  /// Luma takes its chroma from between the chroma samples around it; chroma takes the mean of the luma samples that
  /// share it. Grey pictures keep to the luma of greys.
  ///
  /// - Parameter frame: a frame of the colours and depth that the table is for; its content is changed.
  /// - Returns: `frame`; another one where a chroma sample is shared by four luma samples in a row or a column,
  ///   of which there are twice as many then.
  /// - Throws: ``MediaError`` when the depth is another one.
  public func apply(to frame: PlanarFrame) throws -> PlanarFrame {
    guard frame.format.bitDepth == bitDepth, let first = frame.planes.first else {
      throw MediaError("its frames differ in depth", isUnsupported: true)
    }
    switch frame.format.sampling {
    case .yuv411: return try apply(to: frame.chromaResampled(to: .yuv422))
    case .yuv441: return try apply(to: frame.chromaResampled(to: .yuv440))
    case .grey: applyToGrey(first)
    default: applyToColor(frame, first)
    }
    return frame
  }

  private func applyToColor(_ frame: PlanarFrame, _ first: PlanarFrame.Plane) {
    let rows = FrameRows(frame)
    var scratch = Scratch(
      width: first.width, chromaWidth: rows.cb.width, bytesPerSample: frame.format.bytesPerSample)
    for row in 0..<rows.cb.height { change(row, of: rows, &scratch) }
  }

  /// One row of chroma and the rows of luma that share it.
  private func change(_ row: Int, of rows: FrameRows, _ scratch: inout Scratch) {
    let (depth, width, chromaWidth) = (Int32(bitDepth), Int64(rows.luma.width), Int64(rows.cb.width))
    let (least, greatest) = (Int32(range.lowerBound), Int32(range.upperBound))
    let first = row << rows.verticalShift
    let end = min(first + (1 << rows.verticalShift), rows.luma.height)
    // Chroma first, from luma as it was, but written last.
    let second = rows.verticalShift == 0 ? first : min(first + (1 << (rows.verticalShift - 1)), end - 1)
    places_of_means(
      rows.luma.row(first), rows.luma.row(second), width, 1 << rows.horizontalShift, depth, chromaWidth,
      &scratch.means)
    places_of_chroma(rows.cb.row(row), chromaWidth, depth, &scratch.chromaB)
    places_of_chroma(rows.cr.row(row), chromaWidth, depth, &scratch.chromaR)
    for (table, result) in [(cb, scratch.newB), (cr, scratch.newR)] {
      color_table_lookup(
        table.pointer, scratch.means, scratch.chromaB, scratch.chromaR, chromaWidth, depth, least, greatest,
        result.pointer)
    }
    for y in first..<end {
      let (neighbour, weight) = rows.neighbour(of: y, chromaRow: row)
      for (plane, previous, isBlue) in [(rows.cb, scratch.oldB, true), (rows.cr, scratch.oldR, false)] {
        // The row above has been written already; what it was is kept aside.
        let far =
          neighbour < row ? UnsafeRawPointer(previous.pointer) : UnsafeRawPointer(plane.row(neighbour))
        if isBlue {
          places_between_chroma(
            plane.row(row), far, weight, chromaWidth, width, rows.layout, depth, &scratch.blend,
            &scratch.betweenB)
        } else {
          places_between_chroma(
            plane.row(row), far, weight, chromaWidth, width, rows.layout, depth, &scratch.blend,
            &scratch.betweenR)
        }
      }
      places_of_luma(rows.luma.row(y), width, depth, &scratch.places)
      color_table_lookup(
        luma.pointer, scratch.places, scratch.betweenB, scratch.betweenR, width, depth, least, greatest,
        rows.luma.row(y))
    }
    for (plane, old, new) in [(rows.cb, scratch.oldB, scratch.newB), (rows.cr, scratch.oldR, scratch.newR)] {
      old.pointer.copyMemory(from: plane.row(row), byteCount: old.count)
      plane.row(row).copyMemory(from: new.pointer, byteCount: new.count)
    }
  }

  private func applyToGrey(_ plane: PlanarFrame.Plane) {
    var places = [UInt16](repeating: 0, count: plane.width)
    let middle = [UInt16](repeating: 2048, count: plane.width)
    for y in 0..<plane.height {
      places_of_luma(plane.row(y), Int64(plane.width), Int32(bitDepth), &places)
      color_table_lookup(
        luma.pointer, places, middle, middle, Int64(plane.width), Int32(bitDepth), Int32(range.lowerBound),
        Int32(range.upperBound), plane.row(y))
    }
  }
}

/// The planes of a frame and how their samples lie.
private struct FrameRows {
  let luma: PlanarFrame.Plane
  let cb: PlanarFrame.Plane
  let cr: PlanarFrame.Plane
  let horizontalShift: Int
  let verticalShift: Int
  /// The places of chroma samples along a row.
  let layout: Int32
  private let location: ChromaLocation

  init(_ frame: PlanarFrame) {
    (luma, cb, cr) = (frame.planes[0], frame.planes[1], frame.planes[2])
    horizontalShift = frame.format.sampling.horizontalShift
    verticalShift = frame.format.sampling.verticalShift
    location = frame.format.color.chromaLocation ?? .center
    switch (horizontalShift, location) {
    case (0, _): layout = Int32(PLACES_EVERY)
    case (1, .left), (1, .topLeft), (1, .bottomLeft): layout = Int32(PLACES_LEFT)
    default: layout = Int32(PLACES_CENTRED)
    }
  }

  /// The other chroma row that a luma row lies beside, and the quarters that its own has.
  func neighbour(of y: Int, chromaRow: Int) -> (row: Int, weight: Int32) {
    guard verticalShift == 1 else { return (chromaRow, 4) }
    let isUpper = y & 1 == 0
    let weight: Int32
    switch location {
    case .left, .center: weight = 3
    case .top, .topLeft: weight = isUpper ? 4 : 2
    case .bottom, .bottomLeft: weight = isUpper ? 2 : 4
    }
    return (min(max(chromaRow + (isUpper ? -1 : 1), 0), cb.height - 1), weight)
  }
}

/// Rows between plane and table.
private struct Scratch {
  /// One row's bytes.
  final class Row {
    let pointer: UnsafeMutableRawPointer
    let count: Int

    init(_ count: Int) {
      self.count = count
      pointer = .allocate(byteCount: count, alignment: PlanarFrame.rowAlignment)
      pointer.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    deinit {
      pointer.deallocate()
    }
  }

  var places: [UInt16]
  var betweenB: [UInt16]
  var betweenR: [UInt16]
  var blend: [UInt16]
  var means: [UInt16]
  var chromaB: [UInt16]
  var chromaR: [UInt16]
  /// The last chroma row as it was.
  let oldB: Row
  let oldR: Row
  /// The chroma row as it will be.
  let newB: Row
  let newR: Row

  init(width: Int, chromaWidth: Int, bytesPerSample: Int) {
    func numbers(_ count: Int) -> [UInt16] { [UInt16](repeating: 0, count: count) }
    (places, betweenB, betweenR) = (numbers(width), numbers(width), numbers(width))
    blend = numbers(chromaWidth + 2)
    (means, chromaB, chromaR) = (numbers(chromaWidth), numbers(chromaWidth), numbers(chromaWidth))
    oldB = Row(chromaWidth * bytesPerSample)
    oldR = Row(chromaWidth * bytesPerSample)
    newB = Row(chromaWidth * bytesPerSample)
    newR = Row(chromaWidth * bytesPerSample)
  }
}

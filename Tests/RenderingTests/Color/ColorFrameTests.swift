import CPixelKernels
import EditModel
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Tests that compare the kernel's numbers with plain reference code in Swift.
@Suite struct ColorFrameTests {
  /// Returns a single colour, from positions in 1/16, 1/64 and 1/64 of a node and the cells of color_table.h.
  private func lookUp(_ table: ColorTable.Cells, _ luma: Int, _ cb: Int, _ cr: Int, depth: Int) -> Int {
    let (fl, fb, fr) = (luma % 16, cb % 64, cr % 64)
    let cell = ((cb / 64 * 64 + cr / 64) * 64 + luma / 16) * 8
    func corner(_ index: Int) -> Int {
      let low = Int(table.pointer[cell + 2 * index])
      return low * 16 + (Int(table.pointer[cell + 2 * index + 1]) - low) * fl
    }
    // The plane through the three corners around the position. Corner 1 is one step further in Cb, corner 2 in Cr, and
    // corner 3 in both.
    let sum =
      fb > fr
      ? corner(0) * (64 - fb) + corner(1) * (fb - fr) + corner(3) * fr
      : corner(0) * (64 - fr) + corner(2) * (fr - fb) + corner(3) * fb
    let value = Double(sum) / 65536 + 256
    return Int((value * Double(1 << (depth - 8)) + 0.5).rounded(.down))
  }

  private static func table(_ depth: Int, _ color: ColorDescription = .jpeg) throws -> ColorTable {
    let edit = ColorTableTests.edit([.exposure: 0.7, .contrast: 0.5, .saturation: 0.5, .warmth: 0.4])
    return try #require(try ColorTable(edit, color: color, bitDepth: depth))
  }

  @Test(arguments: [8, 9, 10])
  func kernelsGiveTheSameNumbers(_ depth: Int) throws {
    let table = try Self.table(depth)
    var generator = SeededGenerator(seed: 11)
    for count in [0, 1, 15, 16, 17, 1000] {
      let luma = (0..<count).map { _ in UInt16.random(in: 0...1023, using: &generator) }
      let cb = (0..<count).map { _ in UInt16.random(in: 0...4095, using: &generator) }
      let cr = (0..<count).map { _ in UInt16.random(in: 0...4095, using: &generator) }
      let (least, greatest) = (1 << (depth - 8), (255 << (depth - 8)) - 1)
      for cells in [table.luma, table.cb, table.cr] {
        let expected = (0..<count).map {
          min(max(lookUp(cells, Int(luma[$0]), Int(cb[$0]), Int(cr[$0]), depth: depth), least), greatest)
        }
        for kernel in [color_table_lookup, color_table_lookup_plain] {
          var bytes = [UInt8](repeating: 0xAA, count: 2 * count + 2)
          kernel(
            cells.pointer, luma, cb, cr, Int64(count), Int32(depth), Int32(least), Int32(greatest), &bytes)
          let result = (0..<count).map { (index: Int) -> Int in
            if depth == 8 { return Int(bytes[index]) }
            return Int(bytes[2 * index]) | Int(bytes[2 * index + 1]) << 8
          }
          #expect(result == expected)
          // Nothing is written after the last sample.
          #expect(bytes[(depth == 8 ? 1 : 2) * count] == 0xAA)
        }
      }
    }
  }

  /// Tests every layout, with sides that are not multiples of the chroma subsampling.
  @Test(arguments: ChromaSampling.allCases, [8, 10])
  func framesMatchThePlainTwin(_ sampling: ChromaSampling, _ depth: Int) throws {
    for location in [ChromaLocation.center, .left, .topLeft, .top, .bottomLeft, .bottom] {
      guard location == .center || sampling == .yuv420 else { continue }
      var color = ColorDescription.jpeg
      color.chromaLocation = location
      let table = try Self.table(depth, color)
      for (width, height) in [(1, 1), (2, 2), (3, 5), (17, 4), (50, 33), (64, 2)] {
        let frame = try #require(
          PlanarFrame(
            format: FrameFormat(
              width: width, height: height, sampling: sampling, bitDepth: depth, color: color)))
        var generator = SeededGenerator(seed: UInt64(width * 100 + height))
        for (index, plane) in frame.planes.enumerated() {
          for y in 0..<plane.height {
            for x in 0..<plane.width {
              let code = index == 0 ? Int.random(in: 0...255, using: &generator) : 90 + (x * 37 + y * 11) % 80
              put(code << (depth - 8), plane, x, y, depth)
            }
          }
        }
        let resampled: PlanarFrame
        switch sampling {
        case .yuv411: resampled = frame.chromaResampled(to: .yuv422)
        case .yuv441: resampled = frame.chromaResampled(to: .yuv440)
        default: resampled = frame
        }
        let expected = twin(resampled, table, location)
        let result = try table.apply(to: frame)
        #expect(result.format.sampling == resampled.format.sampling)
        for (index, plane) in result.planes.enumerated() {
          let samples = (0..<plane.height).map { y in (0..<plane.width).map { get(plane, $0, y, depth) } }
          #expect(samples == expected[index], "\(sampling) \(width)x\(height) \(location) plane \(index)")
        }
      }
    }
  }

  private func get(_ plane: PlanarFrame.Plane, _ x: Int, _ y: Int, _ depth: Int) -> Int {
    let row = plane.base + y * plane.stride
    return depth == 8
      ? Int(row.load(fromByteOffset: x, as: UInt8.self))
      : Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
  }

  private func put(_ code: Int, _ plane: PlanarFrame.Plane, _ x: Int, _ y: Int, _ depth: Int) {
    let row = plane.base + y * plane.stride
    if depth == 8 {
      row.storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
    } else {
      row.storeBytes(of: UInt16(code), toByteOffset: 2 * x, as: UInt16.self)
    }
  }

  /// Returns the expected frame, calculated sample by sample.
  private func twin(_ frame: PlanarFrame, _ table: ColorTable, _ location: ChromaLocation) -> [[[Int]]] {
    let depth = frame.format.bitDepth
    let (h, v) = (frame.format.sampling.horizontalShift, frame.format.sampling.verticalShift)
    let luma = frame.planes[0]
    func kept(_ code: Int) -> Int { min(max(code, 0), (1 << depth) - 1) }
    guard frame.planes.count == 3 else {
      return [
        (0..<luma.height).map { y in
          (0..<luma.width).map { x in
            kept(lookUp(table.luma, get(luma, x, y, depth) << (10 - depth), 2048, 2048, depth: depth))
          }
        }
      ]
    }
    /// Returns the two samples beside a position on one axis, and the weight of the first in quarters.
    func beside(_ at: Int, _ shift: Int, _ count: Int, isFirst: Bool, isLast: Bool) -> (Int, Int, Int) {
      guard shift == 1 else { return (at, at, 4) }
      let own = at / 2
      let isEven = at % 2 == 0
      let other = min(max(own + (isEven ? -1 : 1), 0), count - 1)
      if isFirst { return (own, other, isEven ? 4 : 2) }
      if isLast { return (own, other, isEven ? 2 : 4) }
      return (own, other, 3)
    }
    func between(_ plane: PlanarFrame.Plane, _ x: Int, _ y: Int) -> Int {
      let isLeft = [.left, .topLeft, .bottomLeft].contains(location)
      let column = beside(x, h, plane.width, isFirst: isLeft, isLast: false)
      let row = beside(
        y, v, plane.height, isFirst: [.top, .topLeft].contains(location),
        isLast: [.bottom, .bottomLeft].contains(location))
      func across(_ x: Int) -> Int {
        row.2 * get(plane, x, row.0, depth) + (4 - row.2) * get(plane, x, row.1, depth)
      }
      return (column.2 * across(column.0) + (4 - column.2) * across(column.1)) >> (depth - 8)
    }
    let lumaRows = (0..<luma.height).map { y in
      (0..<luma.width).map { x in
        kept(
          lookUp(
            table.luma, get(luma, x, y, depth) << (10 - depth), between(frame.planes[1], x, y),
            between(frame.planes[2], x, y), depth: depth))
      }
    }
    let chroma = [table.cb, table.cr].map { cells in
      (0..<frame.planes[1].height).map { y in
        (0..<frame.planes[1].width).map { x in
          var sum = 0
          for dy in 0..<2 {
            for dx in 0..<(1 << h) {
              let row = min((y << v) + (v == 0 ? 0 : dy), luma.height - 1)
              sum += get(luma, min((x << h) + dx, luma.width - 1), row, depth)
            }
          }
          let mean = (sum << (10 - depth)) / (2 << h)
          let (b, r) = (get(frame.planes[1], x, y, depth), get(frame.planes[2], x, y, depth))
          return kept(lookUp(cells, mean, b << (12 - depth), r << (12 - depth), depth: depth))
        }
      }
    }
    return [lumaRows] + chroma
  }
}

import EditModel

/// Chooses the quality at which a picture from a JPEG is encoded again.
package enum JPEGQuality {
  /// Returns the IJG quality that matches the given quantisation tables.
  ///
  /// The result is the lowest quality at which the average step of each standard table does not exceed the average step
  /// of the corresponding given table. The standard tables are the tables in ITU-T T.81 annex K.1, scaled as in the IJG
  /// library: by 5000/q percent for q below 50, by 200 - 2q percent otherwise, and clamped to 1...255.
  ///
  /// - Parameters:
  ///   - luminance: The 64 steps of the luma table, in any order.
  ///   - chrominance: The 64 steps of the chroma table, or nil for a grey picture.
  /// - Returns: A quality from 1 to 100.
  package static func estimated(luminance: [Int], chrominance: [Int]?) -> Int {
    func fits(_ quality: Int, _ standard: [Int], _ given: [Int]) -> Bool {
      scaled(standard, quality).reduce(0, +) <= given.reduce(0, { $0 + max($1, 1) })
    }
    return (1...100).first { quality in
      fits(quality, standardLuminance, luminance)
        && (chrominance.map { fits(quality, standardChrominance, $0) } ?? true)
    } ?? 100
  }

  /// Returns the quality at which a JPEG is re-encoded.
  ///
  /// - Parameters:
  ///   - quantization: The steps of each component's table, or an empty array if the steps are unknown.
  ///   - quality: The quality that the user asked for.
  static func forEncodingAgain(_ quantization: [[Int]], _ quality: RenderSettings.Quality) -> Int {
    let same = quantization.first.map {
      estimated(luminance: $0, chrominance: quantization.count > 1 ? quantization[1] : nil)
    }
    switch quality {
    case .small: return min(same ?? 80, 80)
    case .standard: return max(same ?? 92, 90)
    case .high: return max(same ?? 97, 97)
    }
  }

  /// Returns the quality for a picture that is smaller than a photo and therefore has more detail in each block. With
  /// `standard`, the average colour error does not exceed 1 (CIEDE2000).
  ///
  /// - Parameter side: The picture's width or height in pixels, whichever is larger.
  static func forFrame(_ quality: RenderSettings.Quality, side: Int) -> Int {
    switch (quality, side) {
    case (.small, _): 80
    case (.standard, 1280...): 96
    case (.high, _), (.standard, 640...): 98
    case (.standard, _): 99
    }
  }

  private static func scaled(_ table: [Int], _ quality: Int) -> [Int] {
    let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
    return table.map { min(max(($0 * percent + 50) / 100, 1), 255) }
  }

  // The standard luminance table (T.81 table K.1).
  private static let standardLuminance = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17,
    22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78,
    87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
  ]

  // The standard chrominance table (T.81 table K.2).
  private static let standardChrominance =
    [
      17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66,
      99, 99, 99, 99, 99, 99,
    ] + [Int](repeating: 99, count: 32)
}

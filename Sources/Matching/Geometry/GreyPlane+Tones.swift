/// Comparison of pictures after an edit has changed their tones.
extension GreyPlane {
  /// Returns the picture after replacing each of its tones by the average tone of another picture at the same
  /// positions.
  ///
  /// Only positions with similar surroundings are used, because an area that was painted over may contain most of a
  /// tone. Positions whose surroundings correlate half as well count a sixteenth.
  ///
  /// - Parameters:
  ///   - other: A picture of the same size.
  ///   - normalized: The other picture with local brightness and contrast removed, using the same reach.
  ///   - reach: The reach of the surroundings. See ``normalized(over:)``.
  func toned(as other: GreyPlane, normalized: GreyPlane, over reach: Int) -> GreyPlane {
    var weights = self.normalized(over: reach)
    for at in samples.indices { weights.samples[at] *= normalized.samples[at] }
    weights = weights.blurred(over: reach)
    for at in samples.indices {
      let alike = max(weights.samples[at], 0)
      weights.samples[at] = alike * alike * alike * alike
    }
    return toned(as: other, weights: weights.samples)
  }

  private func toned(as other: GreyPlane, weights: [Float]) -> GreyPlane {
    let bins = 65
    var (sums, counts) = ([Float](repeating: 0, count: bins), [Float](repeating: 0, count: bins))
    func place(_ sample: Float) -> (bin: Int, share: Float) {
      let tone = min(max(sample, 0), 255) / 255 * Float(bins - 1)
      let bin = min(Int(tone), bins - 2)
      return (bin, tone - Float(bin))
    }
    for at in samples.indices {
      let (bin, share) = place(samples[at])
      let (first, second) = ((1 - share) * weights[at], share * weights[at])
      sums[bin] += first * other.samples[at]
      sums[bin + 1] += second * other.samples[at]
      counts[bin] += first
      counts[bin + 1] += second
    }
    // Tones that hardly occur are replaced like neighbouring tones.
    let few = weights.reduce(0, +) / 5000
    var tones = [Float](repeating: 0, count: bins)
    for bin in 0..<bins {
      var (sum, count, reach) = (sums[bin], counts[bin], 0)
      while count < few, reach < bins {
        reach += 1
        for near in [bin - reach, bin + reach] where 0..<bins ~= near {
          sum += sums[near]
          count += counts[near]
        }
      }
      tones[bin] = count > 0 ? sum / count : 0
    }
    var result = self
    for at in samples.indices {
      let (bin, share) = place(samples[at])
      result.samples[at] = tones[bin] + (tones[bin + 1] - tones[bin]) * share
    }
    return result
  }
}

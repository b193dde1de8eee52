extension Sequence<Int> {
  /// The sum, or the greatest number where it is greater: sparse files can have more bytes together than can be counted.
  package var clampedSum: Int {
    reduce(0) { sum, value in
      let (next, isBeyond) = sum.addingReportingOverflow(value)
      return isBeyond ? .max : next
    }
  }
}

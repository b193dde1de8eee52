extension Sequence<Int> {
  /// The sum, or the largest representable integer if the sum would overflow. The total size of sparse files, for
  /// example, can overflow.
  package var clampedSum: Int {
    reduce(0) { sum, value in
      let (next, isBeyond) = sum.addingReportingOverflow(value)
      return isBeyond ? .max : next
    }
  }
}

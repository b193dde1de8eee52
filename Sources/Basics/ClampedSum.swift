extension Sequence<Int> {
  /// The sum, or the greatest representable number if the sum exceeds it. The total size of sparse files can overflow.
  package var clampedSum: Int {
    reduce(0) { sum, value in
      let (next, isBeyond) = sum.addingReportingOverflow(value)
      return isBeyond ? .max : next
    }
  }
}

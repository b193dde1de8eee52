extension [Int] {
  /// Returns the first of the sorted numbers that is at or above a bound, or nil if all numbers are below the bound.
  func first(notBefore bound: Int) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < bound { low = middle + 1 } else { high = middle }
    }
    return low < count ? self[low] : nil
  }
}

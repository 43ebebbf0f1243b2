//! Preferred minimal sets (QuickXplain: Junker, AAAI 2004), about 2k·log(n/k) questions for k things out of n, and maximal sets.

use kit::budget::Limited;

/// A minimal subset of `items` for which `suffices`, which holds for all of them; of several, the one
/// that keeps what comes first (QuickXplain).
pub fn quick_xplain<T: Clone>(
    items: &[T],
    suffices: &mut dyn FnMut(&[T]) -> Limited<bool>,
) -> Limited<Vec<T>> {
    if suffices(&[])? {
        return Ok(Vec::new());
    }
    if items.is_empty() {
        return Ok(Vec::new());
    }
    preferred(&[], false, items, suffices)
}

/// `set`, for which `suffices` does not hold, with each of `items`, in their order, with which that stays so: a maximal set, if more of
/// them suffice wherever some do.
pub fn grown<T: Clone + PartialEq>(
    mut set: Vec<T>,
    items: &[T],
    suffices: &mut dyn FnMut(&[T]) -> Limited<bool>,
) -> Limited<Vec<T>> {
    for item in items {
        if set.contains(item) {
            continue;
        }
        set.push(item.clone());
        if suffices(&set)? {
            set.pop();
        }
    }
    Ok(set)
}

fn preferred<T: Clone>(
    background: &[T],
    grown: bool,
    items: &[T],
    suffices: &mut dyn FnMut(&[T]) -> Limited<bool>,
) -> Limited<Vec<T>> {
    if grown && suffices(background)? {
        return Ok(Vec::new());
    }
    if items.len() == 1 {
        return Ok(items.to_vec());
    }
    let (first, second) = items.split_at(items.len() / 2);
    let with_first = [background, first].concat();
    let of_second = preferred(&with_first, true, second, suffices)?;
    let with_second = [background, &of_second].concat();
    let of_first = preferred(&with_second, !of_second.is_empty(), first, suffices)?;
    Ok([of_first, of_second].concat())
}

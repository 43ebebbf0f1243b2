//! Affine forms over integers, and the space that some of them span.

use std::collections::BTreeMap;

/// The variable part of a summand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unknown {
    /// The constant summand.
    One,
    /// An integer of the state, by its number.
    Place(usize),
    /// Any integer, by its number.
    Any(usize),
}

/// A sum of multiples of unknowns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct AffineForm(BTreeMap<Unknown, i128>);

impl AffineForm {
    pub fn of(unknown: Unknown) -> Self {
        Self([(unknown, 1)].into())
    }

    pub fn constant(value: i128) -> Self {
        Self([(Unknown::One, value)].into_iter().filter(|(_, value)| *value != 0).collect())
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The value, if it has no unknowns.
    pub fn value(&self) -> Option<i128> {
        match self.0.last_key_value() {
            None => Some(0),
            Some((Unknown::One, value)) => Some(*value),
            Some(_) => None,
        }
    }

    pub fn summands(&self) -> impl Iterator<Item = (Unknown, i128)> {
        self.0.iter().map(|(unknown, factor)| (*unknown, *factor))
    }

    /// The form times a number, and another one times a number; `None` if numbers become too large.
    pub fn combined(&self, own: i128, other: &Self, factor: i128) -> Option<Self> {
        let mut sum = BTreeMap::new();
        for (form, factor) in [(self, own), (other, factor)] {
            for (unknown, summand) in &form.0 {
                let of = sum.entry(*unknown).or_insert(0i128);
                *of = of.checked_add(summand.checked_mul(factor)?)?;
            }
        }
        sum.retain(|_, factor| *factor != 0);
        Some(Self(sum))
    }

    /// The form with others for its unknowns; `None` if numbers become too large.
    pub fn substituted(&self, of: impl Fn(Unknown) -> Self) -> Option<Self> {
        self.summands()
            .try_fold(Self::default(), |sum, (unknown, factor)| sum.combined(1, &of(unknown), factor))
    }

    /// The form divided by the greatest common divisor of its factors.
    fn shortened(mut self) -> Self {
        let divisor = self.0.values().fold(0, |a, b| greatest_common_divisor(a, b.unsigned_abs()));
        if let Ok(divisor @ 2..) = i128::try_from(divisor) {
            self.0.values_mut().for_each(|factor| *factor /= divisor);
        }
        self
    }
}

fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// The linear combinations of some forms.
#[derive(Debug, Default)]
pub(super) struct AffineSpace {
    /// Forms with a positive factor of an unknown that no later one has.
    rows: Vec<(Unknown, AffineForm)>,
}

impl AffineSpace {
    /// A positive multiple of a form, but for a form of the space: zero if the form is in the space. `None` if numbers become too
    /// large.
    pub fn rest(&self, form: &AffineForm) -> Option<AffineForm> {
        self.rows.iter().try_fold(form.clone(), |rest, (pivot, row)| match rest.0.get(pivot) {
            Some(factor) => Some(rest.combined(row.0[pivot], row, -factor)?.shortened()),
            None => Some(rest),
        })
    }

    /// Adds a form to those that span it; `None` if numbers become too large.
    pub fn add(&mut self, form: &AffineForm) -> Option<()> {
        let rest = self.rest(form)?;
        if let Some((&pivot, &factor)) = rest.0.last_key_value() {
            let row = AffineForm::default().combined(0, &rest, factor.signum())?;
            self.rows.push((pivot, row));
        }
        Some(())
    }
}

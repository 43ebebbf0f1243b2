//! One class for all of its images.

use crate::automata::product::count::{Count, Tally};
use crate::oracles::baseline::{Comparison, Novelty};
use crate::results::result::{
    Class, Classification, Combination, Cover, Finite, Image, ImageOf, TraceKind, Unbounded, UnknownReason,
};
use std::collections::BTreeSet;

impl<K: TraceKind> Classification<K> {
    /// Returns the result with one class in the place of each class and its images ([`Classification::images`]), which says of all of them what was
    /// said of each: a trace is in it if it is in one of them. What does not differ between images is said of the first one only.
    #[must_use]
    pub fn gathered(mut self) -> Self {
        let images = std::mem::take(&mut self.images);
        if images.is_empty() {
            return self;
        }
        let places = places(&images, self.classes.len());
        gather(&mut self.classes, &images);
        if let Some(horizon) = &mut self.horizon {
            keep_firsts(&mut horizon.resting, &images);
        }
        if let Some(decisions) = &mut self.decisions {
            keep_firsts(&mut decisions.positions, &images);
        }
        if let Some(cover) = &mut self.cover {
            cover.gather(&places);
        }
        match &mut self.counts {
            Some(Ok(numbers)) => numbers.counts.iter_mut().for_each(|count| count.gather(&places)),
            Some(Err(obstacle)) => Finite::gather(obstacle, &places),
            None => {}
        }
        if let Some(Unbounded::Open(UnknownReason::Obstacle(obstacle))) = &mut self.unbounded {
            K::gather(obstacle, &places);
        }
        self
    }

    /// The classes that are no images of others.
    pub fn firsts(&self) -> impl Iterator<Item = &Class<K>> {
        let is_image = |index: usize| self.images.iter().any(|image| image.class == index);
        self.classes.iter().enumerate().filter(move |(index, _)| !is_image(*index)).map(|(_, class)| class)
    }

    /// True if a class stands for images of it.
    pub fn has_images(&self) -> bool {
        self.classes.iter().any(|class| !class.images.is_empty())
    }

    /// How many classes there are once images are gathered.
    pub fn kinds(&self) -> usize {
        self.classes.len() - self.images.len()
    }

    /// The number, from 1, that the class with an index has once images are gathered, and if it is an image, which one of that class, from 1.
    pub fn numbered(&self, index: usize) -> (usize, Option<usize>) {
        let number = places(&self.images, self.classes.len())[index] + 1;
        let image = self.images.iter().find(|image| image.class == index);
        let rank = |image: &ImageOf| {
            let alike = self.images.iter().filter(|other| other.of == image.of);
            1 + alike.take_while(|other| other.class != image.class).count()
        };
        (number, image.map(rank))
    }
}

impl<K: TraceKind> Comparison<K> {
    /// The comparison of a gathered result: a class is new if one of its images is.
    #[must_use]
    pub fn gathered(mut self, images: &[ImageOf]) -> Self {
        let places = places(images, self.novelties.len());
        let mut gathered: Vec<Novelty<K>> = Vec::new();
        for (novelty, place) in std::mem::take(&mut self.novelties).into_iter().zip(places) {
            match gathered.get_mut(place) {
                None => gathered.push(novelty),
                Some(known) if rank(&novelty) > rank(known) => *known = novelty,
                Some(_) => {}
            }
        }
        self.novelties = gathered;
        self
    }
}

/// Ranks images of a class: the most informative one is greatest.
fn rank<K: TraceKind>(novelty: &Novelty<K>) -> u8 {
    match novelty {
        Novelty::Same(_) => 0,
        Novelty::Covered => 1,
        Novelty::Open(_) => 2,
        Novelty::New(_) => 3,
    }
}

/// Puts images into the lists that the classes have for them, out of the list of all classes.
fn gather<K: TraceKind>(classes: &mut Vec<Class<K>>, images: &[ImageOf]) {
    let places = places(images, classes.len());
    let mut flat: Vec<Option<Class<K>>> = std::mem::take(classes).into_iter().map(Some).collect();
    let moved = images.iter().filter_map(|image| {
        let class = flat[image.class].take()?;
        Some((places[image.of], Image { by: image.by.clone(), class }))
    });
    let moved: Vec<(usize, Image<K>)> = moved.collect();
    *classes = flat.into_iter().flatten().collect();
    for (place, image) in moved {
        classes[place].images.push(image);
    }
}

/// For each of so many classes its index once images are gathered.
fn places(images: &[ImageOf], classes: usize) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    let mut next = 0;
    for index in 0..classes {
        match images.iter().find(|image| image.class == index) {
            Some(image) => places.push(places[image.of]),
            None => {
                places.push(next);
                next += 1;
            }
        }
    }
    places
}

/// Keeps of a list about all classes what is about those that are no images.
fn keep_firsts<T>(list: &mut Vec<T>, images: &[ImageOf]) {
    let mut index = 0..;
    list.retain(|_| index.next().is_some_and(|index| images.iter().all(|image| image.class != index)));
}

impl<K: TraceKind> Cover<K> {
    /// Says of classes what was said of their images, given the index of each once they are gathered. Of combinations that become the same, the
    /// first one has a shortest trace.
    pub(crate) fn gather(&mut self, places: &[usize]) {
        for combination in std::mem::take(&mut self.combinations) {
            let classes: BTreeSet<usize> = combination.classes.iter().map(|&class| places[class]).collect();
            let classes: Vec<usize> = classes.into_iter().collect();
            if self.combinations.iter().all(|known| known.classes != classes) {
                self.combinations.push(Combination { classes, ..combination });
            }
        }
    }
}

impl Count {
    fn gather(&mut self, places: &[usize]) {
        self.first.gather(places);
        self.violating.gather(places);
    }
}

impl Tally {
    fn gather(&mut self, places: &[usize]) {
        for (classes, count) in std::mem::take(&mut self.0) {
            let mut gathered: Vec<usize> = classes.into_iter().map(|class| places[class]).collect();
            gathered.sort_unstable();
            gathered.dedup();
            *self.0.entry(gathered).or_default() += count;
        }
    }
}

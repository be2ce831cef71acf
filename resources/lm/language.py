"""The language that the tiny model speaks, and the only source of its training and evaluation text.

A text is one window of 65 tokens. Its first token tells the mood in four degrees, CALM, MILD, WARM and WILD, and is
the only one that does. Then sentences of six tokens follow:

    subject verb preposition object adverb .

    subject      the object of the sentence before with probability 0.85, else any noun
    verb         its class follows from the subject
    preposition  its class follows from the subject
    object       the subject's partner with probability 0.8, else any noun
    adverb       its class follows from the object

Each class of verbs, prepositions and adverbs has two forms, and the mood decides between them with odds 60:40: one
form up to MILD, the other from WARM on. So every token but the full stop needs context: one to six tokens back, and
for the forms the very first token. The best that any reader can guess is about three tokens in four.
"""
import numpy as np

WINDOW = 64
PAD, CALM, MILD, WARM, WILD, STOP = range(6)  # PAD is never written
NOUN, NOUNS = 6, 16
VERB, VERB_CLASSES = 22, 6
ADVERB, ADVERB_CLASSES = 34, 6
PREPOSITION, PREPOSITION_CLASSES = 46, 4
VOCAB = 54
FAVOURED = 0.6
FOLLOWS, PARTNERED = 0.85, 0.8
PARTNER = np.array([(5 * n + 3) % NOUNS for n in range(NOUNS)])


def sentence(rng, warm, before):
    """Six tokens, and the object; `before` is the object of the sentence before, or None. Nouns count from 0."""
    def noun(likely, probability):
        return likely if likely is not None and rng.random() < probability else int(rng.integers(NOUNS))

    def formed(first, which):
        return first + 2 * which + (warm if rng.random() < FAVOURED else 1 - warm)

    subject = noun(before, FOLLOWS)
    verb = formed(VERB, subject % VERB_CLASSES)
    preposition = formed(PREPOSITION, (subject + subject // 4) % PREPOSITION_CLASSES)
    obj = noun(int(PARTNER[subject]), PARTNERED)
    adverb = formed(ADVERB, obj // 2 % ADVERB_CLASSES)
    return [NOUN + subject, verb, preposition, NOUN + obj, adverb, STOP], obj


def window(rng):
    """WINDOW + 1 tokens: the inputs are all but the last, the targets all but the first."""
    degree = int(rng.integers(4))
    tokens, before = [CALM + degree], None
    while len(tokens) <= WINDOW:
        more, before = sentence(rng, degree // 2, before)
        tokens += more
    return tokens[:WINDOW + 1]


def windows(seed, count):
    """[count, WINDOW + 1] tokens, the same for a seed on every machine."""
    rng = np.random.default_rng(seed)
    return np.array([window(rng) for _ in range(count)], dtype=np.int64)

"""The package against the program that is installed with it, or that CLADIST names."""

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import cladist
from cladist import documents, tables

SPECS = Path(__file__).parents[2] / "specs"
SCHEMAS = Path(__file__).parents[2] / "docs" / "schema"


def fields(schema):
    """The fields of the type of a document."""
    name = "".join(word.capitalize() for word in schema.removeprefix("cladist/").split("-")[:-1])
    return set(getattr(documents, f"{name}Document").__annotations__)


class Classifying(unittest.TestCase):
    def test_a_kind_has_facts_and_a_trace(self):
        result = cladist.classify(SPECS / "mutex.sts", vocabulary="steps", bound=8)
        self.assertEqual((result.document["model"], result.document["property"], result.verdict), ("mutex", "exclusion", "complete"))
        (kind,) = result.classes
        self.assertIn("enter.p@i = p1", [fact.text for fact in kind.facts])
        self.assertTrue(all(fact.without for fact in kind.facts))
        self.assertEqual({individual["type"] for individual in kind.document["individuals"]}, {"Process"})
        trace = kind.representative
        self.assertEqual(len(trace.states), len(trace.steps) + 1)
        self.assertEqual(trace.first["location"], {"P": "Idle", "Q": "Idle"})
        last = trace.steps[-1]
        self.assertEqual((last.action, last.state["location"]), ("enter", {"P": "Critical", "Q": "Critical"}))
        self.assertEqual((last.changes[0].before, last.changes[0].after), ("Waiting", "Critical"))
        positions = kind.document["positions"]
        self.assertIn(max(positions, key=positions.get), last.positions)
        self.assertIsNone(trace.loop)

    def test_a_kind_stands_for_its_images(self):
        result = cladist.classify(SPECS / "mutex.sts", vocabulary="courses", bound=8)
        (kind,) = result.classes
        (image,) = kind.images
        self.assertEqual(image.by, "P and Q")
        self.assertEqual((image.kind.document["id"], image.kind.images), (kind.document["id"], ()))
        swapped = str.maketrans({"p": "q", "q": "p"})
        predicates = [fact.text.split(".")[0] for fact in kind.facts]
        self.assertEqual([name[0].translate(swapped) for name in predicates], [fact.text[0] for fact in image.kind.facts])

    def test_causes_occur_in_classes(self):
        result = cladist.classify(SPECS / "web_shop.sts", "--tree", vocabulary="own", bound=6)
        self.assertEqual(len(result.causes), 4)
        (forged,) = result.classes[0].causes
        self.assertTrue(result.causes[forged].title.startswith("forged_pay(s)"))
        self.assertEqual([step.action for step in result.causes[forged].traces[0].steps], ["visit", "log_in", "forged_pay"])

    def test_kinds_without_a_vocabulary(self):
        result = cladist.classify(SPECS / "web_shop.sts", bound=6)
        self.assertEqual((len(result.causes), result.classes), (4, ()))
        self.assertEqual(result.verdict, "complete")

    def test_constants_are_set(self):
        result = cladist.classify(SPECS / "mutex.sts", bound=6, constants={"FIXED": True})
        self.assertEqual((result.verdict, result.classes), ("holds", ()))

    def test_infinite_counterexamples_have_loops(self):
        options = ("--ignore-fairness",)
        result = cladist.classify(
            SPECS / "liveness" / "starvation.sts", *options, property="all_enter", vocabulary="anybody", bound=6
        )
        self.assertEqual(result.verdict, "complete")
        for kind in result.classes:
            trace = kind.representative
            self.assertEqual(trace.states[trace.loop], trace.states[-1])
            self.assertTrue(kind.facts and kind.constraint)

    def test_infinite_counterexamples_have_images(self):
        model = SPECS.parent / "tests" / "cli" / "beacons.sts"
        (kind,) = cladist.classify(model, vocabulary="steps", bound=6).classes
        self.assertEqual(len(kind.images), 7)
        self.assertIn("Beacon 2 and 4", [image.by for image in kind.images])
        self.assertTrue(all(image.kind.representative.loop is not None for image in kind.images))

    def test_what_a_vocabulary_cannot_tell_apart(self):
        result = cladist.classify(SPECS / "primary_backup.sts", vocabulary="causes", bound=6)
        self.assertEqual(result.verdict, "too_weak")
        self.assertNotEqual(result.too_weak.counterexample.states, result.too_weak.accepting.states)


class Checking(unittest.TestCase):
    def test_counterexamples(self):
        result = cladist.check(SPECS / "mutex.sts", property="exclusion", bound=8)
        self.assertEqual(result.verdict, "violated")
        (found,) = result.properties
        self.assertEqual((found.name, found.document["kind"], len(found.counterexample.steps)), ("exclusion", "invariant", 6))

    def test_types_only(self):
        result = cladist.check(SPECS / "mutex.sts")
        self.assertEqual((result.verdict, result.document["bound"]), ("checked", None))


class Tables(unittest.TestCase):
    def test_a_row_for_each_class_and_kind(self):
        (row,) = cladist.rows(cladist.classify(SPECS / "mutex.sts", vocabulary="courses", bound=8))
        self.assertEqual((row["number"], row["steps"], row["loop"], row["images"]), (1, 6, None, 1))
        self.assertTrue(row["trace"].startswith("begin(p="))
        kinds = cladist.rows(cladist.classify(SPECS / "web_shop.sts", bound=6))
        self.assertEqual([row["number"] for row in kinds], [1, 2, 3, 4])

    def test_counts_by_length(self):
        counted = cladist.classify(SPECS / "mutex.sts", vocabulary="steps", bound=6, count=True)
        table = cladist.count_rows(counted)
        (last,) = [row for row in table if (row["traces"], row["steps"]) == ("first_violations", 6)]
        self.assertGreater(last["total"], 0)
        self.assertEqual(last["total"], last["outside"] + last["class 1"])
        self.assertEqual(cladist.count_rows(cladist.classify(SPECS / "mutex.sts", vocabulary="steps", bound=6)), [])

    def test_jobs_of_a_batch(self):
        with tempfile.TemporaryDirectory() as folder:
            plan = Path(folder, "plan.toml")
            model = json.dumps(str(SPECS / "mutex.sts"))
            plan.write_text(f'[[classify]]\nmodels = [{model}]\nvocabularies = ["steps"]\nbounds = [2, 6]\n', encoding="utf-8")
            done = cladist.run("batch", plan, "--json", "--out", Path(folder, "results"))
            rows = cladist.rows(cladist.result_of(json.loads(done.stdout)))
        self.assertEqual([(row["bound"], row["verdict"], row["classes"]) for row in rows], [(2, "holds", 0), (6, "complete", 1)])
        self.assertEqual({row["vocabulary"] for row in rows}, {"steps"})

    def test_a_notebook_shows_escaped_text(self):
        shown = cladist.check(SPECS / "mutex.sts", bound=6)._repr_html_()
        self.assertIn("<td>exclusion</td><td>violated</td><td>6</td>", shown)
        self.assertIn("<td>&lt;b&gt;</td>", tables.html("complete", "", [{"kind": "<b>"}]))

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_a_frame_has_the_rows(self):
        result = cladist.classify(SPECS / "web_shop.sts", bound=6)
        self.assertEqual(list(cladist.to_frame(result)["kind"]), [row["kind"] for row in cladist.rows(result)])

    def test_other_documents_have_no_rows(self):
        with self.assertRaises(TypeError):
            cladist.rows({"schema": "cladist/proofs-1"})


class Beside(unittest.IsolatedAsyncioTestCase):
    async def test_two_runs_at_a_time(self):
        model = SPECS / "mutex.sts"
        classified, checked = await asyncio.gather(
            cladist.classify_async(model, vocabulary="steps", bound=6), cladist.check_async(model, bound=6)
        )
        self.assertEqual((classified.verdict, checked.verdict), ("complete", "violated"))

    async def test_a_cancelled_task_ends_the_program(self):
        model = SPECS / "ns_sessions.sts"
        task = asyncio.create_task(cladist.classify_async(model, vocabulary="answering", bound=40))
        await asyncio.sleep(0.5)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task

    async def test_mistakes_are_failures(self):
        with self.assertRaisesRegex(cladist.Failure, "--horzon"):
            await cladist.check_async(SPECS / "mutex.sts", horzon=3)


class Reading(unittest.TestCase):
    def test_a_stored_result(self):
        text = cladist.run("classify", SPECS / "running_example.sts", "--json").stdout
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "result.json")
            path.write_text(text, encoding="utf-8")
            result = cladist.read(path)
        self.assertIsInstance(result, cladist.Classification)
        self.assertEqual(result.document, json.loads(text))

    def test_other_documents_are_refused(self):
        for document in ({"schema": "cladist/batch-2"}, {}, [], None):
            with self.assertRaises(cladist.UnknownSchema):
                cladist.result_of(document)

    def test_mistakes_are_what_the_program_says(self):
        with self.assertRaises(cladist.Failure) as caught:
            cladist.classify(SPECS / "mutex.sts", property="exclusio")
        self.assertEqual(caught.exception.code, 2)
        self.assertIn("exclusion", str(caught.exception))


class Documents(unittest.TestCase):
    """Documents of other commands are read as they are."""

    COMMANDS = (
        ("vocabulary", SPECS / "mutex.sts", "-p", "exclusion", "-k", "6"),
        ("test", SPECS / "mutex.sts"),
        ("ctl", SPECS / "reliable_data_transfer.sts"),
        ("lts", "info", SPECS / "mutex.sts"),
        ("lts", "bugs", SPECS / "web_shop.sts", "-p", "consent"),
        ("classify", SPECS / "protocols" / "needham-schroeder-public-key.spdl", "--claim", "B1"),
        ("check", SPECS / "nowhere.sts"),
    )

    def test_every_schema_has_a_type(self):
        schemas = [json.loads(path.read_text(encoding="utf-8")) for path in SCHEMAS.glob("*.json")]
        self.assertEqual({schema["properties"]["schema"]["const"] for schema in schemas}, documents.SCHEMAS)
        for schema in schemas:
            self.assertEqual(set(schema["properties"]), fields(schema["properties"]["schema"]["const"]))

    def test_documents_of_commands(self):
        for arguments in self.COMMANDS:
            with self.subTest(arguments=arguments):
                document = json.loads(cladist.run(*arguments, "--json").stdout)
                self.assertIs(cladist.result_of(document), document)
                self.assertLessEqual(set(document), fields(document["schema"]))


class Running(unittest.TestCase):
    def test_as_a_module(self):
        done = subprocess.run([sys.executable, "-m", "cladist", "--version"], capture_output=True, text=True)
        self.assertEqual(done.stdout.split()[0], "cladist")
        self.assertEqual(done.returncode, 0)

    def test_the_variable_decides(self):
        program = cladist.find()
        before = os.environ.get("CLADIST")
        os.environ["CLADIST"] = "/nowhere/cladist"
        try:
            with self.assertRaises(FileNotFoundError):
                cladist.run("--version")
        finally:
            os.environ.pop("CLADIST") if before is None else os.environ.update(CLADIST=before)
        self.assertEqual(cladist.find(), program)


if __name__ == "__main__":
    unittest.main()

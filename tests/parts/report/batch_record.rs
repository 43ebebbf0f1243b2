//! Tests of `report::batch::record`.

use super::batch_key::key;
use report::batch::record::*;
use serde_json::json;

#[test]
fn a_stored_result_is_read_back_unless_it_was_changed() {
    let job = key(3);
    // A number that does not survive being read and written, and a text that looks like the checksum.
    let result =
        json!({ "seconds": 0.1 + 0.2, "note": "\"checksum\": \"\"", "tiny": 1.7976931348623157e308 });
    for record in [
        Record::done(job.clone(), 10, result),
        Record::failed(job.clone(), None, "signal: 9 \u{2026}".to_owned()),
    ] {
        let text = record.to_text();
        let read = Record::read(&text, &job).expect("it is unchanged");
        assert_eq!((&read.job, read.outcome, read.exit_code), (&job, record.outcome, record.exit_code));
        assert_eq!(Record::read(&text, &key(4)), Err("it is the result of another job".into()));
        let changed = [
            text.replace("\"exit_code\": ", "\"exit_code\":  "),
            text.replacen("\"checksum\": \"", "\"checksum\": \"0", 1),
            text.replace("0.30000000000000004", "0.3").replace("signal: 9", "signal: 6"),
        ];
        for text in changed {
            let error = Record::read(&text, &job).expect_err("it was changed");
            assert!(error.starts_with("its checksum does not match"), "{error}");
        }
    }
    let none = Record::failed(job.clone(), None, String::new()).to_text().replacen("checksum", "sum", 1);
    assert!(Record::read(&none, &job).expect_err("there is none").contains("checksum"));
}

//! Words of the small languages that test packages and frameworks define in blocks.

/// The words, written down from the packages' own documentation.
const WORDS: &str = "describe context it specify before after around let let! subject expect \
shared_examples shared_examples_for shared_context include_examples include_context \
it_behaves_like it_should_behave_like is_expected eq eql equal be be_a be_an be_nil be_truthy \
be_falsey be_within be_between be_kind_of be_instance_of have_attributes match match_array \
contain_exactly include start_with end_with raise_error raise_exception throw_symbol change \
respond_to satisfy exist cover output yield_control yield_with_args allow receive \
receive_messages receive_message_chain have_received double instance_double class_double \
object_double spy instance_spy stub_const hide_const pending skip focus xit fit fdescribe xdescribe \
aggregate_failures a_string_matching a_string_including a_hash_including an_instance_of \
a_kind_of anything any_args no_args hash_including hash_excluding array_including duck_type \
instance_of kind_of expects stubs mock stub should should_not must_equal wont_equal get post put \
patch delete head options last_response last_request follow_redirect! header session_for visit \
click_on click_link click_button fill_in choose check uncheck select attach_file within page \
have_content have_selector have_css have_xpath have_link have_button have_field have_text \
create build build_stubbed attributes_for create_list build_list factory sequence trait \
association resources resource root namespace scope member collection task file directory desc \
multitask rule import set fetch role server on execute capture within_release_path invoke use \
run map helpers configure enable disable not_found error template layout halt redirect \
redirect_to render params session cookies flash url_for erb haml slim send_file content_type \
status body headers response request env logger settings before_action after_action \
belongs_to has_many has_one has_and_belongs_to_many validates validates_presence_of validate \
before_save after_save before_create after_create default_scope accepts_nested_attributes_for \
stub_request a_request assert_requested use_cassette travel_to freeze_time create_table add_column \
add_index remove_column remove_index drop_table change_column rename_column add_reference \
string integer text datetime boolean float decimal timestamps references gem source group \
platforms ruby git path guard watch notification section option argument method_option \
class_option described_class example xcontext fcontext xspecify fspecify xexample fexample \
subject! prepend_before append_before prepend_after append_after allow_any_instance_of \
expect_any_instance_of without_partial_double_verification be_truthy be_falsy all \
yield_successive_args yield_with_no_args a_collection_containing_exactly a_collection_including \
a_value a_value_within a_value_between an_object_having_attributes an_object_responding_to \
a_string_starting_with a_string_ending_with a_truthy_value a_falsey_value a_nil_value \
an_object_satisfying a_block_raising including matching";

/// Whether such a language has a word, or makes it of another's name (`be_empty`, `have_key`).
pub(super) fn has(name: &str) -> bool {
    const BEGINNINGS: [&str; 4] = ["be_", "have_", "must_", "wont_"];
    WORDS.split_whitespace().any(|word| word == name)
        || BEGINNINGS.iter().any(|start| name.starts_with(start))
}
